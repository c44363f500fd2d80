import {
  type ColorField,
  type Gradient,
  luma,
  resolveStyle,
  type Style,
  type StyleFinding,
  styleFindings,
} from '@signpost/qr';

/** On a background darker than this, not even black stands out enough in the corners. */
const darkestBackground = 140;

/** The style with colours that scan: too light ones darker in their own hue, on white where the background is too dark. */
export function fixColors(style: Style): Style {
  const { backgroundColor } = resolveStyle(style);
  let fixed: Style =
    luma(backgroundColor) < darkestBackground ? { ...style, backgroundColor: '#FFFFFF' } : style;
  for (let field = faultIn(fixed); field; field = faultIn(fixed)) fixed = darkened(fixed, field);
  return fixed;
}

const faultIn = (style: Style): StyleFinding['field'] =>
  styleFindings(style).find(({ field }) => field !== undefined)?.field;

/** A corner that follows the dots is mended by mending the dots. */
function darkened(style: Style, fault: ColorField): Style {
  if (fault === 'dotsColor' && style.dotsGradient)
    return { ...style, dotsGradient: darkerGradient(style.dotsGradient) };
  const field = style[fault] === undefined ? leaderOf(fault, style) : fault;
  return { ...style, [field]: darker(resolveStyle(style)[field]) };
}

const leaderOf = (field: ColorField, style: Style): ColorField =>
  field === 'cornersDotColor' && style.cornersSquareColor !== undefined ? 'cornersSquareColor' : 'dotsColor';

/** Its lightest colour darker: that is the one that it is graded by. */
function darkerGradient(gradient: Gradient): Gradient {
  const lightest = Math.max(...gradient.stops.map(({ color }) => luma(color)));
  const stops = gradient.stops.map(stop =>
    luma(stop.color) === lightest ? { ...stop, color: darker(stop.color) } : stop,
  );
  return { ...gradient, stops };
}

const darker = (color: string) =>
  `#${[1, 3, 5]
    .map(at => Math.floor(Number.parseInt(color.slice(at, at + 2), 16) * 0.85))
    .map(value => value.toString(16).padStart(2, '0'))
    .join('')}`.toUpperCase();
