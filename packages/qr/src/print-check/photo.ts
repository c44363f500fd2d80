/** A photograph in shades of grey, row by row. */
export type Photo = { readonly width: number; readonly height: number; readonly grey: Uint8Array };

export type Point = { readonly x: number; readonly y: number };

/** The outer corners of a code in a photograph, as decoders report them; the bottom right one has no finder. */
export type Corners = {
  readonly topLeft: Point;
  readonly topRight: Point;
  readonly bottomRight: Point;
  readonly bottomLeft: Point;
};

/** Where a place on the code lies in the photograph; both are measured from 0 to 1 across the code. */
export type Projection = (u: number, v: number) => Point;

/** Luma by Rec. 601 of a picture with four channels. */
export function toPhoto(picture: {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray | Uint8Array;
}): Photo {
  const { width, height, data } = picture;
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at++) {
    grey[at] = (data[at * 4]! * 77 + data[at * 4 + 1]! * 150 + data[at * 4 + 2]! * 29) >> 8;
  }
  return { width, height, grey };
}

/** The brightness at a place between pixels; beyond the edge, that of the edge. */
export function brightness({ width, height, grey }: Photo, { x, y }: Point): number {
  const [atX, atY] = [clamp(x - 0.5, width - 1), clamp(y - 0.5, height - 1)];
  const [left, top] = [Math.floor(atX), Math.floor(atY)];
  const [right, below] = [Math.min(left + 1, width - 1), Math.min(top + 1, height - 1)];
  const [shareX, shareY] = [atX - left, atY - top];
  const upper = grey[top * width + left]! * (1 - shareX) + grey[top * width + right]! * shareX;
  const lower = grey[below * width + left]! * (1 - shareX) + grey[below * width + right]! * shareX;
  return upper * (1 - shareY) + lower * shareY;
}

const clamp = (value: number, most: number) => Math.min(Math.max(value, 0), most);

/** The perspective that takes a square to four corners. */
export function project({ topLeft: a, topRight: b, bottomRight: c, bottomLeft: d }: Corners): Projection {
  const [dx1, dx2, dx3] = [b.x - c.x, d.x - c.x, a.x - b.x + c.x - d.x];
  const [dy1, dy2, dy3] = [b.y - c.y, d.y - c.y, a.y - b.y + c.y - d.y];
  const determinant = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / determinant;
  const h = (dx1 * dy3 - dx3 * dy1) / determinant;
  return (u, v) => {
    const depth = g * u + h * v + 1;
    return {
      x: ((b.x - a.x + g * b.x) * u + (d.x - a.x + h * d.x) * v + a.x) / depth,
      y: ((b.y - a.y + g * b.y) * u + (d.y - a.y + h * d.y) * v + a.y) / depth,
    };
  };
}
