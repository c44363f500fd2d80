import { pngFile } from './png-file.ts';

/** A PNG of one colour, so many pixels wide and high. */
export function solidPng(widthPx: number, color: number): Uint8Array {
  const row = Buffer.alloc(1 + widthPx * 3);
  for (let x = 0; x < widthPx; x++) row.writeUIntBE(color, 1 + x * 3, 3);
  return pngFile(widthPx, Buffer.concat(Array.from({ length: widthPx }, () => row)));
}
