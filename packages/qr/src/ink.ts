import { channelsOf, luma } from './color.ts';

/** How colours are printed: as they are, or as black ink alone, which is sharper and cheaper in offset print. */
export const inkModes = ['rgb', 'k'] as const;
export type InkMode = (typeof inkModes)[number];

/** Up to this luma a colour may be printed in black. */
export const blackBelow = 40;

/** The components of a colour for PDF and PostScript, 0 to 1: red, green and blue, or black. */
export function componentsOf(color: string, mode: InkMode): readonly number[] {
  return mode === 'rgb' ? channelsOf(color).map(value => value / 255) : [0, 0, 0, blackOf(luma(color))];
}

/** How much black ink a luma needs; what is nearly black gets all of it. */
export const blackOf = (value: number): number => (value < blackBelow ? 1 : 1 - value / 255);

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
  for (let at = 0; at < width * height; at++) {
    const part = data[at * 4 + 3]! / 255;
    const shown = [0, 1, 2].map(
      channel => under[channel]! + (data[at * 4 + channel]! - under[channel]!) * part,
    );
    if (mode === 'rgb') bytes.set(shown.map(Math.round), at * 3);
    else
      bytes[at] = Math.round(255 * (1 - (0.299 * shown[0]! + 0.587 * shown[1]! + 0.114 * shown[2]!) / 255));
  }
  return bytes;
}
