import { greyOf } from '@signpost/testing/decoders.ts';
import type { Raster } from '@signpost/testing/raster.ts';
import type { Random } from './random.ts';

/** Width of a frame; the code takes about three quarters of it, as when somebody holds a phone over a poster. */
const framePx = 400;

/** What an easy shot does to a code: held nearly straight and in focus, by somebody who stands still. */
export const easyShot = {
  /** Turned in the plane, and tilted away from it, in degrees to either side. */
  turnDegrees: 5,
  tiltDegrees: 20,
  /** Standard deviation of the blur in pixels, and of the noise in levels of 256. */
  blurPx: 0.9,
  noise: 5,
  /** A lens and paper never give full black and white. */
  black: 20,
  white: 230,
  /** The grey of the wall around the picture. */
  surround: 150,
  /** How much darker it is on one side than on the other. */
  shade: 0.15,
};

export type Shot = typeof easyShot;

/** A photograph of the picture: tilted, turned, lit from one side, blurred and noisy. Grey in all channels. */
export function photograph(picture: Raster, random: Random, shot: Shot = easyShot): Raster {
  const grey = greyOf(picture);
  const seen = project(grey, picture.width, random, shot);
  return expose(blur(seen, shot), random, shot);
}

/** Looks at the picture through a pinhole, from a random angle. */
function project(grey: Uint8Array, width: number, random: Random, shot: Shot): Float32Array {
  const either = (degrees: number) => ((random.next() * 2 - 1) * degrees * Math.PI) / 180;
  const [turn, pitch, yaw] = [either(shot.turnDegrees), either(shot.tiltDegrees), either(shot.tiltDegrees)];
  const [turnCos, turnSin] = [Math.cos(turn), Math.sin(turn)];
  const [pitchSin, yawSin] = [Math.sin(pitch), Math.sin(yaw)];
  const distance = 2.5;
  const scale = 0.72 + random.next() * 0.12;
  const [perWidth, perHeight] = [1 / (scale * Math.cos(yaw)), 1 / (scale * Math.cos(pitch))];
  const seen = new Float32Array(framePx * framePx);
  for (let y = 0; y < framePx; y++) {
    for (let x = 0; x < framePx; x++) {
      // From the frame back to the plane of the picture, whose width is 1: a ray meets a tilted plane.
      const u = (x + 0.5) / framePx - 0.5;
      const v = (y + 0.5) / framePx - 0.5;
      const depth = distance / (distance + (u * yawSin + v * pitchSin) * 2);
      const planeX = u * depth * perWidth;
      const planeY = v * depth * perHeight;
      const fromX = (planeX * turnCos - planeY * turnSin + 0.5) * width;
      const fromY = (planeX * turnSin + planeY * turnCos + 0.5) * width;
      seen[y * framePx + x] = sample(grey, width, fromX, fromY, shot.surround);
    }
  }
  return seen;
}

/** The mean of the pixels around a place, which stands for the area that one pixel of a sensor sees. */
function sample(grey: Uint8Array, width: number, x: number, y: number, surround: number): number {
  const left = Math.floor(x - 0.5);
  const top = Math.floor(y - 0.5);
  const right = x - 0.5 - left;
  const below = y - 0.5 - top;
  const at = (px: number, py: number) =>
    px < 0 || py < 0 || px >= width || py >= width ? surround : grey[py * width + px]!;
  const upper = at(left, top) * (1 - right) + at(left + 1, top) * right;
  const lower = at(left, top + 1) * (1 - right) + at(left + 1, top + 1) * right;
  return upper * (1 - below) + lower * below;
}

function blur(seen: Float32Array, { blurPx: deviation, surround }: Shot): Float32Array {
  const reach = Math.ceil(deviation * 3);
  const weights = Array.from({ length: 2 * reach + 1 }, (_, at) =>
    Math.exp(-((at - reach) ** 2) / (2 * deviation ** 2)),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const along = (from: Float32Array, step: number) => {
    const to = new Float32Array(from.length);
    for (let at = 0; at < from.length; at++) {
      let sum = 0;
      // What lies beyond the frame counts as the wall around the picture.
      for (let k = -reach; k <= reach; k++) sum += (from[at + k * step] ?? surround) * weights[k + reach]!;
      to[at] = sum / total;
    }
    return to;
  };
  return along(along(seen, 1), framePx);
}

function expose(seen: Float32Array, random: Random, shot: Shot): Raster {
  const data = new Uint8ClampedArray(seen.length * 4);
  const direction = random.next() * 2 * Math.PI;
  const [lightX, lightY] = [shot.shade * Math.cos(direction), shot.shade * Math.sin(direction)];
  for (let at = 0; at < seen.length; at++) {
    const x = (at % framePx) / framePx - 0.5;
    const y = Math.floor(at / framePx) / framePx - 0.5;
    const light = 1 + x * lightX + y * lightY;
    const level = shot.black + (seen[at]! / 255) * (shot.white - shot.black) * light;
    const noisy = level + random.normal() * shot.noise;
    data[at * 4] = noisy;
    data[at * 4 + 1] = noisy;
    data[at * 4 + 2] = noisy;
    data[at * 4 + 3] = 255;
  }
  return { width: framePx, height: framePx, data };
}
