import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { scanGrayBuffer } from '@undecaf/zbar-wasm';
import decodeQR from 'qr/decode.js';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { Raster } from './raster.ts';

// Three independent decoders. Each returns the text that it read, or null.

// By default zxing-wasm downloads its binary from a public server, which a test must not depend on.
const zxingBinary = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
prepareZXingModule({ overrides: { wasmBinary: zxingBinary.buffer as ArrayBuffer } });

/** zxing-cpp with its default options, the decoder in many Android apps. */
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

/** Luma by Rec. 601, the input of decoders. */
export function greyOf({ width, height, data }: Raster): Uint8Array<ArrayBuffer> {
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at++) {
    grey[at] = (data[at * 4]! * 77 + data[at * 4 + 1]! * 150 + data[at * 4 + 2]! * 29) >> 8;
  }
  return grey;
}
