import { crc32, inflateSync } from 'node:zlib';
import { Resvg } from '@resvg/resvg-js';

/** Pixels as decoders take them: four bytes each. */
export type Raster = { readonly width: number; readonly height: number; readonly data: Uint8ClampedArray };

/** Draws an SVG with resvg, which knows nothing of our painter; wider than it says where a width is given. */
export function rasterOfSvg(svg: string, widthPx?: number): Raster {
  const fitTo =
    widthPx === undefined ? ({ mode: 'original' } as const) : ({ mode: 'width', value: widthPx } as const);
  const image = new Resvg(svg, { fitTo, font: { loadSystemFonts: false } }).render();
  return { width: image.width, height: image.height, data: new Uint8ClampedArray(image.pixels) };
}

/** Reads back a PNG with a palette from its bytes, as RFC 2083 has it and without our own writer's code. */
export function rasterOfPng(png: Uint8Array): Raster {
  const chunks = chunksOf(png);
  const header = chunks.get('IHDR')!;
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const depth = header[8]!;
  const palette = chunks.get('PLTE')!;
  const lines = inflateSync(chunks.get('IDAT')!);
  const rowBytes = Math.ceil((width * depth) / 8) + 1;
  if (header[9] !== 3 || lines.length !== rowBytes * height) throw new Error('Not the PNG that was promised');
  const colors = Uint32Array.from(
    { length: palette.length / 3 },
    (_, at) =>
      // Opaque, and in the order in which a little-endian machine keeps red first in memory.
      ((255 << 24) | (palette[at * 3 + 2]! << 16) | (palette[at * 3 + 1]! << 8) | palette[at * 3]!) >>> 0,
  );
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = y * rowBytes;
    if (lines[row] !== 0) throw new Error('A filtered row');
    for (let x = 0; x < width; x++) {
      const bit = x * depth;
      const byte = lines[row + 1 + (bit >> 3)]!;
      pixels[y * width + x] = colors[(byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)]!;
    }
  }
  return { width, height, data: new Uint8ClampedArray(pixels.buffer) };
}

function chunksOf(png: Uint8Array): Map<string, Buffer> {
  const bytes = Buffer.from(png);
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (crc32(bytes.subarray(at + 4, at + 8 + length)) !== bytes.readUInt32BE(at + 8 + length)) {
      throw new Error('A chunk with a wrong checksum');
    }
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return chunks;
}

/** How many pixels differ by more than each limit, in the channel that differs most, and by how much at most. */
export function difference(a: Raster, b: Raster): { readonly largest: number; share(over: number): number } {
  if (a.width !== b.width || a.height !== b.height) throw new Error('Rasters of different sizes');
  const counts = new Uint32Array(256);
  for (let at = 0; at < a.data.length; at += 4) {
    let most = 0;
    for (let channel = 0; channel < 3; channel++) {
      most = Math.max(most, Math.abs(a.data[at + channel]! - b.data[at + channel]!));
    }
    counts[most]!++;
  }
  return {
    largest: counts.findLastIndex(count => count > 0),
    share: over => counts.subarray(over + 1).reduce((sum, count) => sum + count, 0) / (a.width * a.height),
  };
}
