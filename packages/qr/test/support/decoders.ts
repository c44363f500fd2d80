import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { scanGrayBuffer } from '@undecaf/zbar-wasm';
import decodeQR from 'qr/decode.js';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { Raster } from './raster.ts';

// Three decoders of different origin. Each gives the text it has read, or null.

// Left to itself zxing-wasm fetches its binary from a public server, which a test must not need.
const zxingBinary = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
prepareZXingModule({ overrides: { wasmBinary: zxingBinary.buffer as ArrayBuffer } });

/** zxing-cpp, the decoder in many Android apps, as it comes. */
export async function zxing(image: Raster): Promise<string | null> {
  const found = await readBarcodes(image as Parameters<typeof readBarcodes>[0], {
    formats: ['QRCode'],
    tryInvert: false,
  });
  return found[0]?.isValid ? found[0].text : null;
}

/** zbar, the decoder in many desktop tools and older phones; it reads only dark on light. */
export async function zbar(image: Raster): Promise<string | null> {
  const found = await scanGrayBuffer(greyOf(image).buffer, image.width, image.height);
  return found[0]?.decode() ?? null;
}

/** The decoder that comes with the encoder. */
export async function paulmillr(image: Raster): Promise<string | null> {
  try {
    return decodeQR({ width: image.width, height: image.height, data: image.data });
  } catch {
    return null;
  }
}

/** Luma by Rec. 601, which is what decoders work on. */
export function greyOf({ width, height, data }: Raster): Uint8Array<ArrayBuffer> {
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at++) {
    grey[at] = (data[at * 4]! * 77 + data[at * 4 + 1]! * 150 + data[at * 4 + 2]! * 29) >> 8;
  }
  return grey;
}
