import type { Matrix } from './matrix.ts';
import type { CornersDotType, CornersSquareType, DotsType } from './style.ts';

/**
 * Radii of the corners of a square, clockwise from the top left, in half modules. Every shape of every style
 * is a square with such corners, so that the SVG and the painter need to know nothing else.
 */
export type Radii = readonly [topLeft: number, topRight: number, bottomRight: number, bottomLeft: number];

/** A square with rounded corners; place and size in modules. */
export type RoundedSquare = {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly radii: Radii;
};

const all = (radius: number): Radii => [radius, radius, radius, radius];

/** The corners of a ring, outside and inside. */
export const ringRadii: Readonly<
  Record<CornersSquareType, { readonly outer: Radii; readonly inner: Radii }>
> = {
  square: { outer: all(0), inner: all(0) },
  'extra-rounded': { outer: all(5), inner: all(3) },
  dot: { outer: all(7), inner: all(5) },
};

export const centreRadii: Readonly<Record<CornersDotType, Radii>> = { square: all(0), dot: all(3) };

/** The sides of a module, one bit each, for saying which of its neighbours are dark. */
export const side = { top: 1, right: 2, bottom: 4, left: 8 } as const;

/** For every module the sides on which its neighbour is dark. */
export function neighboursIn({ size, modules }: Matrix): Uint8Array {
  const neighbours = new Uint8Array(size * size);
  for (let at = 0; at < neighbours.length; at++) {
    const x = at % size;
    // Above the first row and below the last there is nothing to read, which counts as light.
    const top = modules[at - size] === 1 ? side.top : 0;
    const bottom = modules[at + size] === 1 ? side.bottom : 0;
    const right = x < size - 1 && modules[at + 1] === 1 ? side.right : 0;
    const left = x > 0 && modules[at - 1] === 1 ? side.left : 0;
    neighbours[at] = top | right | bottom | left;
  }
  return neighbours;
}

/** The corners of a module for each of the sixteen ways in which its neighbours can be dark. */
export function moduleRadii(type: DotsType): readonly Radii[] {
  return Array.from({ length: 16 }, (_, neighbours) => cornersOf(type, neighbours));
}

function cornersOf(type: DotsType, neighbours: number): Radii {
  const free = (sides: number) => (neighbours & sides) === 0;
  const freeCorners = (radius: number): Radii => [
    free(side.left | side.top) ? radius : 0,
    free(side.top | side.right) ? radius : 0,
    free(side.right | side.bottom) ? radius : 0,
    free(side.bottom | side.left) ? radius : 0,
  ];
  const onlyDiagonal = ([topLeft, , bottomRight]: Radii): Radii => [topLeft, 0, bottomRight, 0];
  switch (type) {
    case 'square':
      return all(0);
    case 'dots':
      return all(1);
    case 'rounded':
      return freeCorners(1);
    case 'extra-rounded':
      return freeCorners(countOf(neighbours) === 2 ? 2 : 1);
    case 'classy':
      return onlyDiagonal(freeCorners(1));
    case 'classy-rounded':
      return onlyDiagonal(freeCorners(neighbours === 0 ? 1 : 2));
    default:
      throw new TypeError(`No such dotsType: ${type satisfies never}`);
  }
}

const countOf = (bits: number) => [1, 2, 4, 8].filter(bit => bits & bit).length;
