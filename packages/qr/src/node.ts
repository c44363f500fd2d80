import { promisify } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { deflate, deflateSync, inflateSync } from 'node:zlib';
import decodeQR from 'qr/decode.js';
import { channelsOf } from './color.ts';
import { printedText } from './compact.ts';
import { pixelAt } from './full-color.ts';
import { canvasOf, quietModules } from './layout.ts';
import { pictureOf } from './painter.ts';
import { renderPng as renderPngWith } from './png.ts';
import { type LogoPicture, type SceneOptions, sceneOf } from './scene.ts';
import type { Style } from './style.ts';

const deflateOnThreadPool = promisify<Uint8Array, { level: number; chunkSize: number }, Buffer>(deflate);

/** Enough for most pictures: each further chunk is another turn of the event loop. */
const chunkSize = 64 * 1024;

/**
 * Compresses outside the main event loop: in the thread that draws, or else in Node's thread pool, where it may wait for
 * files, host names and queries. Level 6 would save a fifth of the bytes for nearly twice the time.
 */
export async function nodeDeflate(bytes: Uint8Array, level = 5): Promise<Uint8Array> {
  const options = { level, chunkSize };
  return isMainThread ? await deflateOnThreadPool(bytes, options) : deflateSync(bytes, options);
}

export async function renderPng(
  text: string,
  style: Style,
  sizePx: number,
  options: SceneOptions = {},
): Promise<Uint8Array> {
  return await renderPngWith(text, style, sizePx, nodeDeflate, options);
}

/** Pixels a module of the picture that is read to prove a style: the fewest at which decoders read everything. */
const proofModulePx = 4;

/** Whether a decoder reads the code in this style: draws it, and reads what it has drawn. */
export function isReadable(text: string, style: Style, options: SceneOptions = {}): boolean {
  const scene = sceneOf(text, style, options);
  const sizePx = (scene.modules + 2 * quietModules) * proofModulePx;
  const picture = pictureOf(scene, canvasOf(scene, sizePx));
  const data = new Uint8ClampedArray(sizePx * sizePx * 4).fill(255);
  if ('palette' in picture) {
    const palette = picture.palette.map(channelsOf);
    for (const [at, entry] of picture.pixels.entries()) data.set(palette[entry]!, at * 4);
  } else {
    for (let y = 0; y < sizePx; y++) {
      for (let x = 0; x < sizePx; x++) {
        const from = pixelAt(picture, x, y);
        data.set(picture.lines.subarray(from, from + 3), (y * sizePx + x) * 4);
      }
    }
  }
  try {
    return decodeQR({ width: sizePx, height: sizePx, data }) === printedText(text, style.compact);
  } catch {
    // The decoder throws where it finds no code.
    return false;
  }
}

/** Reads a PNG that `logoPngOf` has written. */
export function pixelsOfLogoPng(png: Uint8Array): LogoPicture['pixels'] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const parts: Uint8Array[] = [];
  for (let at = 8; at < png.length; ) {
    const length = view.getUint32(at);
    // IDAT
    if (view.getUint32(at + 4) === 0x49444154) parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const rowBytes = width * 4;
  const size = (rowBytes + 1) * height;
  const lines = inflateSync(Buffer.concat(parts), { maxOutputLength: size, chunkSize: Math.max(64, size) });
  // In place: a row without its first byte, and those before it without theirs, never reaches what is still to be read.
  for (let y = 0; y < height; y++) {
    const from = y * (rowBytes + 1) + 1;
    const to = y * rowBytes;
    if (lines[from - 1] !== 2) throw new TypeError('Not a PNG of our own');
    if (y === 0) lines.copyWithin(0, 1, 1 + rowBytes);
    else for (let x = 0; x < rowBytes; x++) lines[to + x] = lines[from + x]! + lines[to + x - rowBytes]!;
  }
  return { width, height, data: lines.subarray(0, rowBytes * height) };
}

export { logoPngOf } from './png.ts';
export { resample } from './resample.ts';
