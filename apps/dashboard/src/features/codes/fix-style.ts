import { type ColorField, luma, resolveStyle, type Style, styleFindings } from '@signpost/qr';

/** On a background darker than this, not even black stands out enough in the corners. */
const darkestBackground = 140;

/** The style with colours that scan: too light ones darker in their own hue, on white where the background is too dark. */
export function fixColors(style: Style): Style {
  const { backgroundColor } = resolveStyle(style);
  let fixed: Style =
    luma(backgroundColor) < darkestBackground ? { ...style, backgroundColor: '#FFFFFF' } : style;
  for (let field = faultIn(fixed); field; field = faultIn(fixed))
    fixed = { ...fixed, [field]: darker(resolveStyle(fixed)[field]) };
  return fixed;
}

/** A corner that follows the dots is mended by mending the dots, which come first. */
const faultIn = (style: Style): ColorField | undefined => {
  const found = styleFindings(style).find(({ field }) => field !== undefined)?.field;
  return found && style[found] === undefined ? leaderOf(found, style) : found;
};

const leaderOf = (field: ColorField, style: Style): ColorField =>
  field === 'cornersDotColor' && style.cornersSquareColor !== undefined ? 'cornersSquareColor' : 'dotsColor';

const darker = (color: string) =>
  `#${[1, 3, 5]
    .map(at => Math.floor(Number.parseInt(color.slice(at, at + 2), 16) * 0.85))
    .map(value => value.toString(16).padStart(2, '0'))
    .join('')}`.toUpperCase();
