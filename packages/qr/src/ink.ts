import { channelsOf, luma } from './color.ts';
import { resolveStyle, type Style } from './style.ts';

/** How colours are printed: as they are, or as black ink alone, which is sharper and cheaper in offset print. */
export const inkModes = ['rgb', 'k'] as const;
export type InkMode = (typeof inkModes)[number];

/** Up to this luma a colour may be printed in black. */
const blackBelow = 40;

/** Whether dots and corners are so dark that black ink alone prints the picture that was approved. */
export function isNearlyBlack(style: Style): boolean {
  const { dotsColor, cornersSquareColor, cornersDotColor, dotsGradient } = resolveStyle(style);
  const dots = dotsGradient ? dotsGradient.stops.map(stop => stop.color) : [dotsColor];
  return [...dots, cornersSquareColor, cornersDotColor].every(color => luma(color) < blackBelow);
}

/** The components of a colour for PDF and PostScript, 0 to 1: red, green and blue, or black. */
export function componentsOf(color: string, mode: InkMode): readonly number[] {
  return mode === 'rgb' ? channelsOf(color).map(value => value / 255) : [0, 0, 0, blackOf(luma(color))];
}

/** How much black ink a luma needs; what is nearly black gets all of it. */
const blackOf = (value: number): number => (value < blackBelow ? 1 : 1 - value / 255);

/** A number as both languages write it: no exponent, and no digit more than paper can show. */
export const decimal = (value: number): string => {
  const text = value.toFixed(4);
  return text.includes('.') ? text.replace(/\.?0+$/, '') || '0' : text;
};

export const decimals = (values: readonly number[]): string => values.map(decimal).join(' ');

/** The bytes of a picture on its background, three a pixel, or one a pixel of black ink. */
export function inkBytes(
  { width, height, data }: { readonly width: number; readonly height: number; readonly data: Uint8Array },
  background: string,
  mode: InkMode,
): Uint8Array {
  const under = channelsOf(background);
  const bytes = new Uint8Array(width * height * (mode === 'rgb' ? 3 : 1));
  const [red, green, blue] = under;
  for (let at = 0; at < width * height; at++) {
    const part = data[at * 4 + 3]! / 255;
    const r = red + (data[at * 4]! - red) * part;
    const g = green + (data[at * 4 + 1]! - green) * part;
    const b = blue + (data[at * 4 + 2]! - blue) * part;
    if (mode === 'k') bytes[at] = Math.round(255 - (0.299 * r + 0.587 * g + 0.114 * b));
    else {
      bytes[at * 3] = Math.round(r);
      bytes[at * 3 + 1] = Math.round(g);
      bytes[at * 3 + 2] = Math.round(b);
    }
  }
  return bytes;
}
