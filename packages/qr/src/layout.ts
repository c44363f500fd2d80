/** Where the modules lie in the picture, in pixels. */
export type Layout = {
  readonly sizePx: number;
  /** Width of a module: a whole number, so that no edge falls between two pixels. */
  readonly modulePx: number;
  /** From the edge of the picture to the first module. */
  readonly offsetPx: number;
};

export const smallestSizePx = 64;
export const largestSizePx = 2048;
/** Of what is drawn for print in the browser of whoever asks for it: 34 cm at 600 dots an inch. */
export const largestPrintPx = 8192;

/** Free modules around a code. Scanners need them to tell the code from what is printed beside it. */
export const quietModules = 4;

/** Lays out a code of so many modules; what does not divide evenly goes to the margin. */
export function layOut(modules: number, sizePx: number, largestPx = largestSizePx): Layout {
  if (!Number.isInteger(sizePx) || sizePx < smallestSizePx || sizePx > largestPx) {
    throw new RangeError(`A picture is ${smallestSizePx} to ${largestPx} whole pixels wide`);
  }
  const modulePx = Math.floor(sizePx / (modules + 2 * quietModules));
  if (modulePx < 1) throw new RangeError(`${sizePx} pixels are too few for a code of ${modules} modules`);
  return { sizePx, modulePx, offsetPx: Math.floor((sizePx - modules * modulePx) / 2) };
}

/** Where a scene lies in a picture of pixels. */
export type Canvas = {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly modulePx: number;
  /** From the edges of the picture to the first module. */
  readonly leftPx: number;
  readonly topPx: number;
};

type Laid = {
  readonly modules: number;
  readonly isFramed: boolean;
  readonly bounds: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
};

/** Lays out a code, or a code with what is around it: so wide, and as high as that makes it. */
export function canvasOf(
  { modules, isFramed, bounds }: Laid,
  sizePx: number,
  largestPx = largestSizePx,
): Canvas {
  const alone = layOut(modules, sizePx, largestPx);
  if (!isFramed) {
    const { modulePx, offsetPx } = alone;
    return { widthPx: sizePx, heightPx: sizePx, modulePx, leftPx: offsetPx, topPx: offsetPx };
  }
  const modulePx = Math.floor((2 * sizePx) / bounds.width);
  if (modulePx < 1) throw new RangeError(`${sizePx} pixels are too few for this code with its frame`);
  const spare = Math.floor((sizePx - (bounds.width * modulePx) / 2) / 2);
  return {
    widthPx: sizePx,
    heightPx: Math.ceil((bounds.height * modulePx) / 2) + 2 * spare,
    modulePx,
    leftPx: spare + Math.round((-bounds.x * modulePx) / 2),
    topPx: spare + Math.round((-bounds.y * modulePx) / 2),
  };
}
