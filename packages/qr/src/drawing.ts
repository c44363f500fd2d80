import { type Layout, layOut, quietModules } from './layout.ts';
import { encode, finderPlaces, type Matrix, withoutFinders } from './matrix.ts';
import { centreRadii, type RoundedSquare, ringRadii } from './shapes.ts';
import { checkedStyle, type ResolvedStyle, type Style } from './style.ts';

/** What is to be drawn, before it is settled whether as SVG or as pixels. Places are in modules. */
export type Drawing = {
  readonly style: ResolvedStyle;
  readonly layout: Layout;
  /** The modules outside the finders. */
  readonly dots: Matrix;
  readonly rings: readonly Ring[];
  readonly centres: readonly RoundedSquare[];
};

type Ring = { readonly outer: RoundedSquare; readonly inner: RoundedSquare };

export function drawingOf(text: string, style: Style, sizePx: number, largestPx?: number): Drawing {
  return drawingOfMatrix(encode(text), style, sizePx, largestPx);
}

/** As wide as the largest code there is, with its quiet zone. */
const alwaysEnoughPx = 177 + 2 * quietModules;

/** Whether a picture of this size has a pixel for every module. */
export const fits = (text: string, sizePx: number): boolean =>
  sizePx >= alwaysEnoughPx || widthInModules(text) <= sizePx;

/** How many modules wide the code of a text is with its quiet zone. */
export const widthInModules = (text: string): number => encode(text).size + 2 * quietModules;

/** The drawing of a ready matrix, for comparing renderers on the same modules. */
export function drawingOfMatrix(matrix: Matrix, style: Style, sizePx: number, largestPx?: number): Drawing {
  const resolved = checkedStyle(style);
  const ring = ringRadii[resolved.cornersSquareType];
  const places = finderPlaces(matrix);
  return {
    style: resolved,
    layout: layOut(matrix.size, sizePx, largestPx),
    dots: withoutFinders(matrix),
    rings: places.map(({ x, y }) => ({
      outer: { x, y, size: 7, radii: ring.outer },
      inner: { x: x + 1, y: y + 1, size: 5, radii: ring.inner },
    })),
    centres: places.map(({ x, y }) => ({
      x: x + 2,
      y: y + 2,
      size: 3,
      radii: centreRadii[resolved.cornersDotType],
    })),
  };
}
