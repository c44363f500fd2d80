import { promisify } from 'node:util';
import { deflate, inflateSync } from 'node:zlib';
import decodeQR from 'qr/decode.js';
import { channelsOf } from './color.ts';
import { canvasOf, quietModules } from './layout.ts';
import { pictureOf } from './painter.ts';
import { renderPng as renderPngWith } from './png.ts';
import { type LogoPicture, type SceneOptions, sceneOf } from './scene.ts';
import type { Style } from './style.ts';

const deflateOnThreadPool = promisify<Uint8Array, { level: number }, Buffer>(deflate);

/** Compresses outside the event loop. Level 6 would save a fifth of the bytes for nearly twice the time. */
export const nodeDeflate = (bytes: Uint8Array): Promise<Uint8Array> =>
  deflateOnThreadPool(bytes, { level: 5 });

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
  const palette = 'palette' in picture ? picture.palette.map(channelsOf) : null;
  for (let at = 0; at < sizePx * sizePx; at++) {
    data.set(palette ? palette[picture.pixels[at]!]! : picture.pixels.subarray(at * 3, at * 3 + 3), at * 4);
  }
  try {
    return decodeQR({ width: sizePx, height: sizePx, data }) === text;
  } catch {
    // The decoder throws where it finds no code.
    return false;
  }
}

/** Reads a PNG that `pngOf` has written in full colour with opacity, the form in which logos are kept. */
export function pixelsOfPng(png: Uint8Array): LogoPicture['pixels'] {
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
  const lines = inflateSync(Buffer.concat(parts), { maxOutputLength: (rowBytes + 1) * height });
  const data = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const from = y * (rowBytes + 1) + 1;
    const to = y * rowBytes;
    if (lines[from - 1] !== 2) throw new TypeError('Not a PNG of our own');
    for (let x = 0; x < rowBytes; x++)
      data[to + x] = lines[from + x]! + (y === 0 ? 0 : data[to + x - rowBytes]!);
  }
  return { width, height, data };
}

export { pngOf } from './png.ts';
export { resample } from './resample.ts';
