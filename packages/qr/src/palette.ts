import type { ResolvedStyle } from './style.ts';

/** The colours of a picture. Entry 0 is the background; after it comes a ramp for each colour of the style. */
export type Palette = {
  readonly colors: readonly string[];
  /** How opaque each colour is, 0 to 255; left out where all of them are. */
  readonly alphas?: readonly number[];
  /** Steps from nearly nothing to the full colour; 1 where every edge lies between two pixels. */
  readonly steps: number;
  /** The entry before the ramp of a colour: adding a step gives the entry of that step. */
  readonly rampOf: (color: string) => number;
};

/** With the background these make 16 entries, which fit into half a byte when a style has one colour. */
const smoothSteps = 15;

export function paletteOf(style: ResolvedStyle): Palette {
  const steps = hasCurves(style) ? smoothSteps : 1;
  const background = style.backgroundColor.toUpperCase();
  const inks = [...new Set([style.dotsColor, style.cornersSquareColor, style.cornersDotColor].map(upper))];
  const colors = [background];
  for (const ink of inks) {
    for (let step = 1; step <= steps; step++) colors.push(mix(background, ink, step / steps));
  }
  return { colors, steps, rampOf: color => inks.indexOf(upper(color)) * steps };
}

/** The same colours on no background: where a mixture with it would be, the ink itself lets it through. */
export function clearPaletteOf(style: ResolvedStyle): Palette {
  const { colors, steps, rampOf } = paletteOf(style);
  const [background = '', ...ramps] = colors;
  const stepOf = (at: number) => (at % steps) + 1;
  return {
    colors: [background, ...ramps.map((_, at) => ramps[at - stepOf(at) + steps]!)],
    alphas: [0, ...ramps.map((_, at) => Math.round((255 * stepOf(at)) / steps))],
    steps,
    rampOf,
  };
}

/** The three bytes of `#RRGGBB`. */
export function channelsOf(color: string): readonly [red: number, green: number, blue: number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

const upper = (color: string) => color.toUpperCase();

const hasCurves = (style: ResolvedStyle) =>
  style.dotsType !== 'square' || style.cornersSquareType !== 'square' || style.cornersDotType !== 'square';

/** Mixes on the sRGB bytes as they are, which is what browsers do at the edge of a shape. */
function mix(from: string, to: string, share: number): string {
  const start = channelsOf(from);
  const end = channelsOf(to);
  const mixed = start.map((value, at) => Math.round(value + (end[at]! - value) * share));
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
}
