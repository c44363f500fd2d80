import { type Gradient, type PlacedGradient, placeGradient } from './gradient.ts';
import { quietModules } from './layout.ts';
import { type LogoShape, modulesIn, pictureModules } from './logo.ts';
import { finderPlaces, type Matrix, matrixFor, splitAlignment, withoutFinders } from './matrix.ts';
import { circlesOf, outlineOf, squarePath } from './outline.ts';
import { centreRadii, moduleRadii, type RoundedSquare, ringRadii } from './shapes.ts';
import { checkedStyle, type DotsType, type ResolvedStyle, type Style } from './style.ts';

/**
 * What a picture shows, before it is settled whether as SVG, PNG, PDF or EPS: shapes, each drawn over those before it.
 * Places are in half modules from the top left module of the code, but for the modules themselves.
 */
export type Scene = {
  /** Width of the code in modules. */
  readonly modules: number;
  /** The whole picture, with the quiet zone and what is around it. */
  readonly bounds: Box;
  /** Whether something is around the quiet zone. */
  readonly isFramed: boolean;
  readonly background: string;
  readonly shapes: readonly Shape[];
};

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

export type Shape = ModulesShape | SquaresShape | OutlineShape | PictureShape;

/** Modules outside the finders, merged with their neighbours. */
export type ModulesShape = {
  readonly kind: 'modules';
  readonly matrix: Matrix;
  readonly type: DotsType;
  readonly fill: Fill;
};

/** Squares with rounded corners, each with a hole in its middle or without; places and sizes in modules. */
export type SquaresShape = {
  readonly kind: 'squares';
  readonly squares: readonly HollowSquare[];
  readonly fill: Fill;
};

export type HollowSquare = { readonly outer: RoundedSquare; readonly inner?: RoundedSquare };

/** Any outline as path data, such as letters. */
export type OutlineShape = { readonly kind: 'outline'; readonly path: string; readonly fill: Fill };

export type PictureShape = {
  readonly kind: 'picture';
  readonly place: Box;
  readonly shape: LogoShape;
  readonly picture: LogoPicture;
};

export type Fill = string | PlacedGradient;

/** A picture for the middle of a code, in the forms that the writers need. */
export type LogoPicture = {
  /** Four bytes a pixel: red, green, blue and how opaque it is. */
  readonly pixels: { readonly width: number; readonly height: number; readonly data: Uint8Array };
  /** The same as a PNG file in base64. */
  readonly png: string;
  /** The content of an SVG that was checked, for the SVG writer. */
  readonly svg?: { readonly viewBox: string; readonly content: string };
};

/** What is drawn around the quiet zone, and the whole that it makes with the code. */
export type FrameDrawing = { readonly bounds: Box; readonly shapes: readonly OutlineShape[] };

export type SceneOptions = {
  /** The picture of the style's logo. A style with a logo cannot be drawn without it. */
  readonly logo?: LogoPicture | undefined;
  /** Given the code with its quiet zone. */
  readonly frame?: ((code: Box) => FrameDrawing) | undefined;
};

export function sceneOf(text: string, style: Style, options: SceneOptions = {}): Scene {
  return sceneOfMatrix(matrixFor(text, style), style, options);
}

/** As wide as the largest code there is, with its quiet zone. */
const alwaysEnoughPx = 177 + 2 * quietModules;

/** Whether a picture of this size has a pixel for every module. */
export const fits = (text: string, sizePx: number, style: Style = {}): boolean =>
  sizePx >= alwaysEnoughPx || widthInModules(text, style) <= sizePx;

/** How many modules wide the picture of a text is: the code with its quiet zone, and what is around that. */
export function widthInModules(
  text: string,
  style: Style = {},
  { frame }: Pick<SceneOptions, 'frame'> = {},
): number {
  const code = codeBox(matrixFor(text, style).size);
  return (frame?.(code).bounds ?? code).width / 2;
}

/** The scene of a ready matrix, for comparing renderers on the same modules. */
export function sceneOfMatrix(matrix: Matrix, style: Style, { logo, frame }: SceneOptions = {}): Scene {
  const resolved = checkedStyle(style);
  const code = codeBox(matrix.size);
  const framed = frame?.(code);
  return {
    modules: matrix.size,
    bounds: framed?.bounds ?? code,
    isFramed: framed !== undefined,
    background: resolved.backgroundColor,
    shapes: [
      ...(framed?.shapes ?? []),
      ...dotsOf(matrix, resolved),
      ...findersOf(matrix, resolved),
      ...pictureOf(matrix, resolved, logo),
    ],
  };
}

/** The path data of a shape. */
export function pathOf(shape: ModulesShape | SquaresShape | OutlineShape): string {
  switch (shape.kind) {
    case 'modules':
      return shape.type === 'dots'
        ? circlesOf(shape.matrix)
        : outlineOf(shape.matrix, moduleRadii(shape.type));
    case 'squares':
      return shape.squares
        .map(({ outer, inner }) => squarePath(outer) + (inner ? squarePath(inner) : ''))
        .join('');
    case 'outline':
      return shape.path;
    default:
      throw new TypeError(`No such shape: ${shape satisfies never}`);
  }
}

function codeBox(modules: number): Box {
  const width = 2 * (modules + 2 * quietModules);
  return { x: -2 * quietModules, y: -2 * quietModules, width, height: width };
}

const fillOf = (color: string, gradient: Gradient | undefined, modules: number): Fill =>
  gradient ? placeGradient(gradient, 2 * modules) : color;

function dotsOf(matrix: Matrix, style: ResolvedStyle): ModulesShape[] {
  const dots = withoutFinders(matrix);
  const { hole } = matrix;
  const fill = fillOf(style.dotsColor, style.dotsGradient, matrix.size);
  if (!hole) return [{ kind: 'modules', matrix: dots, type: style.dotsType, fill }];
  for (const at of modulesIn(hole, matrix.size)) dots.modules[at] = 0;
  if (style.dotsType !== 'dots') return [{ kind: 'modules', matrix: dots, type: style.dotsType, fill }];
  // Separate dots take the alignment pattern apart, by which scanners correct a tilt: with rounded corners zxing lost one
  // photograph in six, and some files at 12 pixels a module. Without a logo it stays apart, as pictures of codes that exist
  // must not change.
  const { rest, pattern } = splitAlignment(dots);
  return [
    { kind: 'modules', matrix: rest, type: 'dots', fill },
    { kind: 'modules', matrix: pattern, type: 'rounded', fill },
  ];
}

function findersOf(matrix: Matrix, style: ResolvedStyle): SquaresShape[] {
  const ring = ringRadii[style.cornersSquareType];
  const places = finderPlaces(matrix);
  const rings = places.map(({ x, y }) => ({
    outer: { x, y, size: 7, radii: ring.outer },
    inner: { x: x + 1, y: y + 1, size: 5, radii: ring.inner },
  }));
  const centres = places.map(({ x, y }) => ({
    outer: { x: x + 2, y: y + 2, size: 3, radii: centreRadii[style.cornersDotType] },
  }));
  return [
    { kind: 'squares', squares: rings, fill: style.cornersSquareColor },
    { kind: 'squares', squares: centres, fill: style.cornersDotColor },
  ];
}

function pictureOf(
  { hole, size }: Matrix,
  { logo }: ResolvedStyle,
  picture: LogoPicture | undefined,
): PictureShape[] {
  if (!logo || !hole) return [];
  if (!picture) throw new TypeError('A style with a logo is drawn with its picture');
  const width = 2 * pictureModules(hole, logo.margin);
  const place = { x: size - width / 2, y: size - width / 2, width, height: width };
  return [{ kind: 'picture', place, shape: hole.shape, picture }];
}
