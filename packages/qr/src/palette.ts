import { mix } from './color.ts';
import type { Scene, Shape } from './scene.ts';

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

/** The palette of a scene of plain colours; null where it has more colours than a palette holds. */
export function paletteOf(scene: Scene): Palette | null {
  const fills = scene.shapes.map(plainColorOf);
  if (!fills.every(fill => fill !== null)) return null;
  const steps = scene.shapes.some(hasCurves) ? smoothSteps : 1;
  const background = scene.background.toUpperCase();
  const inks = [...new Set(fills.map(upper))];
  const colors = [background];
  for (const ink of inks) {
    for (let step = 1; step <= steps; step++) colors.push(mix(background, ink, step / steps));
  }
  return { colors, steps, rampOf: color => inks.indexOf(upper(color)) * steps };
}

/** The same colours on no background: where a mixture with it would be, the ink itself lets it through. */
export function clearPaletteOf({ colors, steps, rampOf }: Palette): Palette {
  const [background = '', ...ramps] = colors;
  const stepOf = (at: number) => (at % steps) + 1;
  return {
    colors: [background, ...ramps.map((_, at) => ramps[at - stepOf(at) + steps]!)],
    alphas: [0, ...ramps.map((_, at) => Math.round((255 * stepOf(at)) / steps))],
    steps,
    rampOf,
  };
}

const upper = (color: string) => color.toUpperCase();

/** The colour of a shape of squares, or null for a shape that takes more. */
const plainColorOf = (shape: Shape): string | null =>
  (shape.kind === 'modules' || shape.kind === 'squares') && typeof shape.fill === 'string'
    ? shape.fill
    : null;

function hasCurves(shape: Shape): boolean {
  if (shape.kind === 'modules') return shape.type !== 'square';
  return (
    shape.kind === 'squares' && shape.squares.some(({ outer }) => outer.radii.some(radius => radius > 0))
  );
}
