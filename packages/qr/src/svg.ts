import { type Drawing, drawingOf } from './drawing.ts';
import { circlesOf, outlineOf, squarePath } from './outline.ts';
import { moduleRadii } from './shapes.ts';
import type { Style } from './style.ts';

/**
 * The code as an SVG document: a background and one path for each of the three colours. It holds nothing that
 * could clash or run when it is put into a page: no ids, no styles, no references.
 */
export function renderSvg(text: string, style: Style, sizePx: number): string {
  return svgOf(drawingOf(text, style, sizePx));
}

/** Another width for print, such as `30mm`, and no background where the paper's is to show. */
export type SvgOptions = { readonly width?: string; readonly isClear?: boolean };

export function svgOf(drawing: Drawing, options: SvgOptions = {}): string {
  const { style, layout } = drawing;
  const { sizePx, modulePx, offsetPx } = layout;
  const width = options.width ?? sizePx;
  const rings = drawing.rings.map(({ outer, inner }) => squarePath(outer) + squarePath(inner)).join('');
  const centres = drawing.centres.map(squarePath).join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}" viewBox="0 0 ${sizePx} ${sizePx}">` +
    (options.isClear ? '' : `<rect width="${sizePx}" height="${sizePx}" fill="${style.backgroundColor}"/>`) +
    `<g transform="translate(${offsetPx} ${offsetPx})scale(${modulePx / 2})" fill-rule="evenodd">` +
    `<path fill="${style.dotsColor}" d="${dotsPath(drawing)}"/>` +
    `<path fill="${style.cornersSquareColor}" d="${rings}"/>` +
    `<path fill="${style.cornersDotColor}" d="${centres}"/>` +
    '</g></svg>\n'
  );
}

function dotsPath({ dots, style }: Drawing): string {
  return style.dotsType === 'dots' ? circlesOf(dots) : outlineOf(dots, moduleRadii(style.dotsType));
}
