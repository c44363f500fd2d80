import { channelsOf } from './color.ts';
import { crc32 } from './crc32.ts';
import type { FullColorPicture } from './full-color.ts';
import { canvasOf } from './layout.ts';
import { type Picture, pictureOf } from './painter.ts';
import { type LogoPicture, type SceneOptions, sceneOf } from './scene.ts';
import type { Style } from './style.ts';

/**
 * Compresses into the zlib format (RFC 1950). It is handed in since every platform has its own: Node has
 * node:zlib, a browser `CompressionStream('deflate')`, which has only one level.
 */
export type Deflate = (bytes: Uint8Array, level?: number) => Promise<Uint8Array>;

export async function renderPng(
  text: string,
  style: Style,
  sizePx: number,
  deflate: Deflate,
  options: SceneOptions = {},
): Promise<Uint8Array> {
  const scene = sceneOf(text, style, options);
  return await pngOf(pictureOf(scene, canvasOf(scene, sizePx)), deflate);
}

/** Writes a picture as a PNG, for print with its resolution. */
export async function pngOf(
  picture: Picture | FullColorPicture,
  deflate: Deflate,
  dpi?: number,
): Promise<Uint8Array> {
  return 'palette' in picture
    ? await indexedPng(picture, deflate, dpi)
    : await fullColorPng(picture, deflate, dpi);
}

/** Level 5 would save a quarter of the bytes for twice the time. */
const fullColorLevel = 3;

async function fullColorPng(
  { widthPx, heightPx, channels, lines }: FullColorPicture,
  deflate: Deflate,
  dpi?: number,
): Promise<Uint8Array> {
  const colorType = channels === 3 ? trueColor : trueColorAndAlpha;
  return join([
    signature,
    chunk('IHDR', header(widthPx, heightPx, 8, colorType)),
    ...(dpi === undefined ? [] : [chunk('pHYs', resolution(dpi))]),
    chunk('IDAT', await deflate(lines, fullColorLevel)),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/** Writes a logo in the form in which it is kept: each row as its differences from the one above, as photographs need it. */
export async function logoPngOf(
  { width, height, data }: LogoPicture['pixels'],
  deflate: Deflate,
): Promise<Uint8Array> {
  return join([
    signature,
    chunk('IHDR', header(width, height, 8, trueColorAndAlpha)),
    chunk('IDAT', await deflate(differencesOf(data, width * 4, height))),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/** The rows as PNG stores them with filter 2. */
function differencesOf(pixels: Uint8Array, rowBytes: number, rows: number): Uint8Array {
  const lines = new Uint8Array((rowBytes + 1) * rows);
  for (let y = 0; y < rows; y++) {
    const to = y * (rowBytes + 1);
    const from = y * rowBytes;
    lines[to] = 2;
    if (y === 0) lines.set(pixels.subarray(0, rowBytes), 1);
    else
      for (let x = 0; x < rowBytes; x++) lines[to + 1 + x] = pixels[from + x]! - pixels[from + x - rowBytes]!;
  }
  return lines;
}

/** With a palette and as few bits a pixel as its colours need. */
async function indexedPng(picture: Picture, deflate: Deflate, dpi?: number): Promise<Uint8Array> {
  const depth = depthFor(picture.palette.length);
  return join([
    signature,
    chunk('IHDR', header(picture.sizePx, picture.sizePx, depth, indexedColor)),
    chunk('PLTE', Uint8Array.from(picture.palette.flatMap(channelsOf))),
    ...(picture.alphas ? [chunk('tRNS', Uint8Array.from(picture.alphas))] : []),
    ...(dpi === undefined ? [] : [chunk('pHYs', resolution(dpi))]),
    chunk('IDAT', await deflate(scanlinesOf(picture, depth))),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

type Depth = 1 | 2 | 4 | 8;

function depthFor(colors: number): Depth {
  if (colors <= 2) return 1;
  if (colors <= 4) return 2;
  return colors <= 16 ? 4 : 8;
}

/**
 * The rows of the picture as PNG stores them before compression: a byte for the filter (none: filters help
 * gradients, not palettes), then the pixels, the leftmost in the highest bits.
 */
export function scanlinesOf({ sizePx, pixels }: Picture, depth: Depth): Uint8Array {
  const perByte = 8 / depth;
  const rowBytes = Math.ceil(sizePx / perByte);
  const lines = new Uint8Array((rowBytes + 1) * sizePx);
  for (let y = 0; y < sizePx; y++) {
    const to = y * (rowBytes + 1) + 1;
    const from = y * sizePx;
    if (depth === 8) lines.set(pixels.subarray(from, from + sizePx), to);
    else packRow(lines, to, pixels, from, sizePx, depth);
  }
  return lines;
}

function packRow(
  lines: Uint8Array,
  start: number,
  pixels: Uint8Array,
  from: number,
  count: number,
  depth: 1 | 2 | 4,
): void {
  const end = start + Math.ceil((count * depth) / 8);
  packers[depth](lines, start, end, pixels, from);
  // The last byte may have read on into the next row; what lies beyond this row's end is cleared.
  const unusedBits = (end - start) * 8 - count * depth;
  lines[end - 1]! &= 0xff << unusedBits;
}

/** A loop for each depth, since these touch every pixel while other requests wait. */
const packers = {
  4: (lines: Uint8Array, start: number, end: number, p: Uint8Array, from: number) => {
    for (let to = start, at = from; to < end; to++, at += 2) lines[to] = (p[at]! << 4) | p[at + 1]!;
  },
  2: (lines: Uint8Array, start: number, end: number, p: Uint8Array, from: number) => {
    for (let to = start, at = from; to < end; to++, at += 4) {
      lines[to] = (p[at]! << 6) | (p[at + 1]! << 4) | (p[at + 2]! << 2) | p[at + 3]!;
    }
  },
  1: (lines: Uint8Array, start: number, end: number, p: Uint8Array, from: number) => {
    for (let to = start, at = from; to < end; to++, at += 8) {
      const high = (p[at]! << 7) | (p[at + 1]! << 6) | (p[at + 2]! << 5) | (p[at + 3]! << 4);
      lines[to] = high | (p[at + 4]! << 3) | (p[at + 5]! << 2) | (p[at + 6]! << 1) | p[at + 7]!;
    }
  },
};

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

const [trueColor, indexedColor, trueColorAndAlpha] = [2, 3, 6] as const;

function header(widthPx: number, heightPx: number, depth: Depth, colorType: number): Uint8Array {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, widthPx);
  view.setUint32(4, heightPx);
  bytes.set([depth, colorType], 8);
  return bytes;
}

/** The same in both directions, in pixels a metre: the only unit that PNG has. */
function resolution(dpi: number): Uint8Array {
  const bytes = new Uint8Array(9);
  const view = new DataView(bytes.buffer);
  const perMetre = Math.round(dpi / 0.0254);
  view.setUint32(0, perMetre);
  view.setUint32(4, perMetre);
  bytes[8] = 1;
  return bytes;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let at = 0; at < 4; at++) bytes[4 + at] = type.charCodeAt(at);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
