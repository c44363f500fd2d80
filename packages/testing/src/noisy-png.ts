import { pngFile } from './png-file.ts';

/** A PNG whose file begins with this many bytes of noise, which no encoder makes smaller; the rest is smooth. */
export function noisyPng(widthPx: number, noiseBytes: number, seed: number): Buffer {
  const rowBytes = 1 + widthPx * 3;
  const rows = Buffer.alloc(rowBytes * widthPx);
  let random = seed;
  for (let at = 0; at < rows.length; at++) {
    if (at % rowBytes === 0) continue;
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    rows[at] = at < noiseBytes ? random >>> 24 : Math.floor(at / rowBytes) >> 3;
  }
  return pngFile(widthPx, rows);
}
