import type { Raster } from '@signpost/testing/raster.ts';

/** The table of luma in Annex K of the standard, which most cameras scale by their quality. */
const table = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22,
  29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103,
  121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];

const waves = Array.from({ length: 64 }, (_, at) => {
  const [frequency, place] = [at >> 3, at & 7];
  return Math.cos(((2 * place + 1) * frequency * Math.PI) / 16) * (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5;
});

/** What JPEG leaves of a grey photograph: blocks of 8 × 8 pixels lose their fine waves. The rest of JPEG loses nothing. */
export function throughJpeg({ width, height, data }: Raster, quality: number): Raster {
  const scale = quality < 50 ? 50 / quality : 2 - quality / 50;
  const steps = table.map(step => Math.max(1, Math.round(step * scale)));
  const out = data.slice();
  for (let top = 0; top + 8 <= height; top += 8) {
    for (let left = 0; left + 8 <= width; left += 8) {
      const places = Array.from({ length: 64 }, (_, at) => ((top + (at >> 3)) * width + left + (at & 7)) * 4);
      const block = places.map(place => data[place]! - 128);
      const spectrum = transform(block, (wave, at) => waves[wave * 8 + at]!);
      const kept = spectrum.map((value, at) => Math.round(value / steps[at]!) * steps[at]!);
      const shown = transform(kept, (at, wave) => waves[wave * 8 + at]!);
      for (const [at, place] of places.entries()) out.fill(shown[at]! + 128, place, place + 3);
    }
  }
  return { width, height, data: out };
}

/** Along rows, then along columns. */
function transform(block: readonly number[], weight: (to: number, from: number) => number): number[] {
  const along = (values: readonly number[], at: (line: number, place: number) => number) => {
    const found = new Array<number>(64).fill(0);
    for (let line = 0; line < 8; line++) {
      for (let to = 0; to < 8; to++) {
        let sum = 0;
        for (let from = 0; from < 8; from++) sum += values[at(line, from)]! * weight(to, from);
        found[at(line, to)] = sum;
      }
    }
    return found;
  };
  return along(
    along(block, (line, place) => line * 8 + place),
    (line, place) => place * 8 + line,
  );
}
