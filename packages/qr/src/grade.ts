import { luma } from './color.ts';
import { type ResolvedStyle, resolveStyle, type Style } from './style.ts';

/** How well a style scans, with the reasons in plain words where it is not good. */
export type Grade = { readonly level: GradeLevel; readonly reasons: readonly string[] };

export const gradeLevels = ['good', 'fair', 'poor'] as const;
export type GradeLevel = (typeof gradeLevels)[number];

export type ColorField = 'dotsColor' | 'cornersSquareColor' | 'cornersDotColor';

const fields: readonly {
  readonly field: ColorField;
  readonly word: string;
  readonly good: number;
  readonly fair: number;
}[] = [
  { field: 'dotsColor', word: 'dots', good: 75, fair: 48 },
  { field: 'cornersSquareColor', word: 'corner squares', good: 128, fair: 90 },
  { field: 'cornersDotColor', word: 'corner dots', good: 128, fair: 90 },
];

/**
 * Below this difference in luma from the background a camera's noise and blur leave scanners nothing to read, though
 * some still read the untouched file.
 */
const unreadableBelow = 24;

/**
 * Grades a style by the difference in luma between each colour and the background: of the predictors that
 * were measured against decoders it is the best, and better than the WCAG ratio.
 */
export function gradeStyle(style: Style): Grade {
  const found = styleFindings(style);
  const worst = Math.max(0, ...found.map(one => gradeLevels.indexOf(one.level)));
  return { level: gradeLevels[worst] ?? 'poor', reasons: found.map(one => one.reason) };
}

/** Everything that makes a style harder to scan, for whoever says it in other words. */
export function styleFindings(style: Style): readonly StyleFinding[] {
  const resolved = resolveStyle(style);
  return [...fields.flatMap(field => gradeColor(resolved, field)), ...gradeShapes(resolved)];
}

export type UnscannableField = ColorField | 'backgroundColor' | 'dotsGradient';

/**
 * The first field whose colour no scanner can tell from the background, or null. Where the style leaves that colour
 * open, it is the background that was chosen too close to it.
 */
export function unscannableField(style: Style): UnscannableField | null {
  const resolved = resolveStyle(style);
  const found = fields.find(({ field }) => Math.abs(contrast(resolved, field)) < unreadableBelow);
  if (!found) return null;
  if (found.field === 'dotsColor' && style.dotsGradient) return 'dotsGradient';
  return style[found.field] === undefined ? 'backgroundColor' : found.field;
}

export type StyleFinding = {
  readonly level: GradeLevel;
  readonly reason: string;
  readonly cause: 'light' | 'close' | 'inverted' | 'square-centre' | 'rounded-among-dots' | 'round-corner';
  /** The colour that is at fault, of the first three causes. */
  readonly field?: ColorField;
};

/** A gradient is as hard to read as the part of it that is closest to the background. */
function contrast(style: ResolvedStyle, field: ColorField): number {
  const gradient = field === 'dotsColor' ? style.dotsGradient : undefined;
  const colors = gradient ? gradient.stops.map(stop => stop.color) : [style[field]];
  const differences = colors.map(color => Math.round(luma(style.backgroundColor) - luma(color)));
  const isDark = differences.every(difference => difference > 0);
  // Between a lighter and a darker stop the gradient passes through the very luma of the background.
  if (!isDark && differences.some(difference => difference > 0)) return 0;
  return isDark ? Math.min(...differences) : Math.max(...differences);
}

function gradeColor(
  style: ResolvedStyle,
  { field, word, good, fair }: (typeof fields)[number],
): StyleFinding[] {
  const difference = contrast(style, field);
  if (difference >= good) return [];
  if (difference >= fair) {
    return [
      {
        level: 'fair',
        cause: 'light',
        field,
        reason: `The ${word} are a little light for their background; make ${field} darker.`,
      },
    ];
  }
  if (difference < 0) {
    return [
      {
        level: 'poor',
        cause: 'inverted',
        field,
        reason: `The ${word} are lighter than the background; many scanners read only dark on light.`,
      },
    ];
  }
  return [
    {
      level: 'poor',
      cause: 'close',
      field,
      reason: `The ${word} are too close to their background; make ${field} darker.`,
    },
  ];
}

function gradeShapes(style: ResolvedStyle): StyleFinding[] {
  if (style.cornersSquareType === 'square') return [];
  if (style.cornersSquareType === 'extra-rounded') {
    // Dots take the alignment pattern apart, and a rounded ring has little else to measure a tilt by: zxing
    // loses one frame in twenty of the two together, and none of either alone.
    if (style.dotsType !== 'dots') return [];
    return [
      {
        level: 'fair',
        cause: 'rounded-among-dots',
        reason:
          'Rounded corners among separate dots are harder to read at an angle; square corners scan better.',
      },
    ];
  }
  if (style.cornersDotType === 'square') {
    return [
      {
        level: 'poor',
        cause: 'square-centre',
        reason: 'A square centre in a round corner hardly scans; set cornersDotType to dot.',
      },
    ];
  }
  return [
    {
      level: 'fair',
      cause: 'round-corner',
      reason: 'Round corners are harder to find at an angle; square or extra-rounded scan better.',
    },
  ];
}
