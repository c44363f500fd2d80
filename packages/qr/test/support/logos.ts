import { deflateSync } from 'node:zlib';
import { logoPngOf } from '../../src/png.ts';
import type { LogoPicture } from '../../src/scene.ts';
import type { Random } from './random.ts';

export const logoKinds = ['noise', 'black', 'white', 'photograph'] as const;
export type LogoKind = (typeof logoKinds)[number];

/** A logo that works against the code as much as a picture can, or as much as usual ones do. */
export async function randomLogo(
  kind: LogoKind,
  random: Random,
  width = 96,
  height = width,
): Promise<LogoPicture> {
  const data = new Uint8Array(width * height * 4).fill(255);
  const paint = painters[kind](random);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(paint(x / width, y / height), (y * width + x) * 4);
  }
  return await logoOf({ width, height, data });
}

async function logoOf(pixels: LogoPicture['pixels']): Promise<LogoPicture> {
  const png = await logoPngOf(pixels, async bytes => deflateSync(bytes));
  return { pixels, png: Buffer.from(png).toString('base64') };
}

type Paint = (x: number, y: number) => readonly number[];

const painters: Readonly<Record<LogoKind, (random: Random) => Paint>> = {
  // Cells as large as modules, which look most like a part of the code.
  noise: random => {
    const cells = 5 + Math.floor(random.next() * 20);
    const levels = Array.from({ length: cells * cells }, () => (random.next() < 0.5 ? 0 : 255));
    return (x, y) => {
      const level = levels[Math.floor(y * cells) * cells + Math.floor(x * cells)]!;
      return [level, level, level];
    };
  },
  black: () => () => [0, 0, 0],
  white: () => () => [255, 255, 255],
  // Soft patches of colour with grain and a few hard edges.
  photograph: random => {
    const patches = Array.from({ length: 6 }, () => ({
      x: random.next(),
      y: random.next(),
      width: 0.1 + random.next() * 0.4,
      color: [random.next() * 255, random.next() * 255, random.next() * 255],
    }));
    const edge = random.next();
    return (x, y) => {
      const weights = patches.map(patch =>
        Math.exp(-((x - patch.x) ** 2 + (y - patch.y) ** 2) / patch.width ** 2),
      );
      const total = weights.reduce((sum, weight) => sum + weight, 1e-9);
      const light = x + y * 0.5 < edge ? 0.6 : 1;
      return [0, 1, 2].map(channel => {
        const mixed = patches.reduce((sum, { color }, at) => sum + color[channel]! * weights[at]!, 0) / total;
        return Math.max(0, Math.min(255, mixed * light + random.normal() * 10));
      });
    };
  },
};
