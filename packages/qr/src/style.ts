import { type Gradient, gradientTypes } from './gradient.ts';
import { type Logo, largestLogoMargin, logoShapes, logoSizes } from './logo.ts';

/** How a code looks. The words are those of the API; every field may be left out. */
export type Style = {
  readonly dotsType?: DotsType;
  readonly dotsColor?: string;
  readonly backgroundColor?: string;
  readonly cornersSquareType?: CornersSquareType;
  readonly cornersSquareColor?: string;
  readonly cornersDotType?: CornersDotType;
  readonly cornersDotColor?: string;
  /** In place of dotsColor; the corners keep a plain colour. */
  readonly dotsGradient?: Gradient;
  readonly logo?: Logo;
  /** Host and path in upper case, which makes a smaller code; see toCompact. */
  readonly compact?: boolean;
};

/** A style with every field settled; a gradient, a logo and compact are there only where they were asked for. */
export type ResolvedStyle = Readonly<Required<Omit<Style, 'dotsGradient' | 'logo' | 'compact'>>> &
  Pick<Style, 'dotsGradient' | 'logo' | 'compact'>;

export const dotsTypes = ['square', 'dots', 'rounded', 'extra-rounded', 'classy', 'classy-rounded'] as const;
export const cornersSquareTypes = ['square', 'dot', 'extra-rounded'] as const;
export const cornersDotTypes = ['square', 'dot'] as const;

export type DotsType = (typeof dotsTypes)[number];
export type CornersSquareType = (typeof cornersSquareTypes)[number];
export type CornersDotType = (typeof cornersDotTypes)[number];

/** `#RRGGBB`, the only form a colour takes anywhere in Signpost. */
export const colorPattern = '^#[0-9A-Fa-f]{6}$';

/**
 * Fills in what a style leaves open. The corners follow the dots, and the centre of a round ring is round,
 * since scanners hardly find a square centre in a round ring.
 */
export function resolveStyle(style: Style = {}): ResolvedStyle {
  const dotsColor = style.dotsColor ?? '#000000';
  const cornersSquareType = style.cornersSquareType ?? 'square';
  const cornersSquareColor = style.cornersSquareColor ?? dotsColor;
  return {
    dotsType: style.dotsType ?? 'square',
    dotsColor,
    backgroundColor: style.backgroundColor ?? '#FFFFFF',
    cornersSquareType,
    cornersSquareColor,
    cornersDotType: style.cornersDotType ?? (cornersSquareType === 'dot' ? 'dot' : 'square'),
    cornersDotColor: style.cornersDotColor ?? cornersSquareColor,
    ...(style.dotsGradient ? { dotsGradient: style.dotsGradient } : {}),
    ...(style.logo ? { logo: style.logo } : {}),
    ...(style.compact ? { compact: true } : {}),
  };
}

/**
 * Resolves a style and throws on a colour or a word that is none. Colours end up inside SVG text, so the
 * renderer checks them again, whoever has checked them before.
 */
export function checkedStyle(style: Style = {}): ResolvedStyle {
  const resolved = resolveStyle(style);
  for (const field of ['dotsColor', 'backgroundColor', 'cornersSquareColor', 'cornersDotColor'] as const) {
    if (!isColor(resolved[field])) throw new TypeError(`${field} is not a colour of the form #RRGGBB`);
  }
  checkWord('dotsType', resolved.dotsType, dotsTypes);
  checkWord('cornersSquareType', resolved.cornersSquareType, cornersSquareTypes);
  checkWord('cornersDotType', resolved.cornersDotType, cornersDotTypes);
  if (resolved.dotsGradient) checkGradient(resolved.dotsGradient);
  if (resolved.logo) checkLogo(resolved.logo);
  if (style.compact !== undefined) checkWord('compact', style.compact, [true, false]);
  return resolved;
}

export const gradientStops = { least: 2, most: 5 } as const;

function checkGradient({ type, rotation = 0, stops }: Gradient): void {
  checkWord('dotsGradient.type', type, gradientTypes);
  if (!Number.isFinite(rotation)) throw new TypeError('dotsGradient.rotation is not a number');
  if (!Array.isArray(stops) || stops.length < gradientStops.least || stops.length > gradientStops.most)
    throw new TypeError('dotsGradient.stops is not a list of two to five');
  let before = 0;
  for (const { offset, color } of stops) {
    if (!isColor(color)) throw new TypeError('dotsGradient.stops is not of colours of the form #RRGGBB');
    if (!(offset >= before && offset <= 1))
      throw new TypeError('dotsGradient.stops is not in the order of offsets from 0 to 1');
    before = offset;
  }
}

function checkLogo({ size = 'medium', shape = 'square', margin = 0 }: Logo): void {
  checkWord('logo.size', size, logoSizes);
  checkWord('logo.shape', shape, logoShapes);
  if (!(margin >= 0 && margin <= largestLogoMargin)) throw new TypeError('logo.margin is not 0 to 2');
}

const colorExpression = new RegExp(colorPattern);

export function isColor(value: unknown): boolean {
  // The length is looked at too, since `$` alone would let a line break at the end through in some dialects.
  return typeof value === 'string' && value.length === 7 && colorExpression.test(value);
}

function checkWord(field: string, value: unknown, words: readonly unknown[]): void {
  if (!words.includes(value)) throw new TypeError(`${field} is none of ${words.join(', ')}`);
}
