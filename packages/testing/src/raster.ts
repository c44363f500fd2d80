import { crc32, inflateSync } from 'node:zlib';
import { Resvg } from '@resvg/resvg-js';

/** RGBA pixels, the input of decoders. */
export type Raster = { readonly width: number; readonly height: number; readonly data: Uint8ClampedArray };

/** Renders an SVG with resvg, independently of our painter; at another width if one is given. */
export function rasterOfSvg(svg: string, widthPx?: number): Raster {
  const fitTo =
    widthPx === undefined ? ({ mode: 'original' } as const) : ({ mode: 'width', value: widthPx } as const);
  const image = new Resvg(svg, { fitTo, font: { loadSystemFonts: false } }).render();
  return { width: image.width, height: image.height, data: new Uint8ClampedArray(image.pixels) };
}

/** Decodes a PNG with a palette, or in full colour, by RFC 2083, without code of our own writer. */
export function rasterOfPng(png: Uint8Array): Raster {
  const chunks = chunksOf(png);
  const header = chunks.get('IHDR')!;
  if (header[9] !== 3) return rasterOfFullColor(header, inflateSync(chunks.get('IDAT')!));
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const depth = header[8]!;
  const palette = chunks.get('PLTE')!;
  const lines = inflateSync(chunks.get('IDAT')!);
  const rowBytes = Math.ceil((width * depth) / 8) + 1;
  if (header[9] !== 3 || lines.length !== rowBytes * height)
    throw new Error('Not a complete PNG with a palette');
  const alphas = chunks.get('tRNS');
  const colors = Uint32Array.from(
    { length: palette.length / 3 },
    (_, at) =>
      // Opaque where nothing else is said, with red as the first byte on a little-endian machine.
      (((alphas?.[at] ?? 255) << 24) |
        (palette[at * 3 + 2]! << 16) |
        (palette[at * 3 + 1]! << 8) |
        palette[at * 3]!) >>>
      0,
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

/** Eight bits a channel, each row as it is or as differences from the row above. */
function rasterOfFullColor(header: Buffer, lines: Buffer): Raster {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = header[9] === 2 ? 3 : 4;
  const rowBytes = width * channels + 1;
  if (header[8] !== 8 || lines.length !== rowBytes * height)
    throw new Error('Not a complete PNG in full colour');
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    const filter = lines[y * rowBytes]!;
    if (filter !== 0 && filter !== 2) throw new Error(`A row with filter ${filter}`);
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < channels; channel++) {
        const above = filter === 2 && y > 0 ? data[((y - 1) * width + x) * 4 + channel]! : 0;
        data[(y * width + x) * 4 + channel] =
          (lines[y * rowBytes + 1 + x * channels + channel]! + above) & 255;
      }
    }
  }
  return { width, height, data };
}

/** Reads the plain format (P6) in which other programs hand over their pixels. */
export function rasterOfPpm(ppm: Buffer): Raster {
  const head = /^P6\s+(?:#.*\s+)*(\d+)\s+(\d+)\s+255\s/.exec(ppm.subarray(0, 200).toString('latin1'));
  if (!head) throw new Error('Not a PPM');
  const [width, height] = [Number(head[1]), Number(head[2])];
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at++) {
    const from = head[0].length + at * 3;
    data.set(ppm.subarray(from, from + 3), at * 4);
  }
  return { width, height, data };
}

/** The pixels as they look on white paper. */
export function onWhite({ width, height, data }: Raster): Raster {
  const shown = new Uint8ClampedArray(data.length);
  for (let at = 0; at < data.length; at += 4) {
    const share = data[at + 3]! / 255;
    for (let channel = 0; channel < 3; channel++)
      shown[at + channel] = 255 + (data[at + channel]! - 255) * share;
    shown[at + 3] = 255;
  }
  return { width, height, data: shown };
}

/** The resolution that a PNG says it has, in pixels a metre, or null. */
export function pixelsPerMetreOf(png: Uint8Array): number | null {
  const chunk = chunksOf(png).get('pHYs');
  return chunk && chunk[8] === 1 ? chunk.readUInt32BE(0) : null;
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

/** How many pixels differ by more than each limit in their most different channel, and the largest difference. */
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
