/** The SVG that is taken as a logo. The dashboard writes what it is given in these words; the server refuses any other. */

export const svgShapes = ['g', 'path', 'rect', 'circle', 'ellipse', 'line', 'polygon', 'polyline'];

export const svgElements: ReadonlySet<string> = new Set([
  ...svgShapes,
  'defs',
  'linearGradient',
  'radialGradient',
  'stop',
  'clipPath',
]);

/** Attributes by the kind of value that they hold. */
const painted = {
  amounts: [
    'opacity',
    'fill-opacity',
    'stroke-opacity',
    'stop-opacity',
    'stroke-width',
    'stroke-miterlimit',
    'stroke-dashoffset',
  ],
  keywords: ['fill-rule', 'clip-rule', 'stroke-linecap', 'stroke-linejoin'],
  dashes: ['stroke-dasharray'],
  paints: ['fill', 'stroke'],
  colors: ['stop-color', 'color'],
  references: ['clip-path'],
};
const geometry = {
  lengths: [
    'x',
    'y',
    'x1',
    'y1',
    'x2',
    'y2',
    'cx',
    'cy',
    'r',
    'rx',
    'ry',
    'fx',
    'fy',
    'width',
    'height',
    'offset',
  ],
  keywords: ['spreadMethod', 'gradientUnits', 'clipPathUnits'],
  transforms: ['transform', 'gradientTransform'],
  paths: ['d'],
  points: ['points'],
  names: ['id'],
};

export const svgAttributes = {
  ...geometry,
  ...painted,
  keywords: [...geometry.keywords, ...painted.keywords],
};

/** Those that a group hands down to what is in it. */
export const svgPaint: ReadonlySet<string> = new Set(Object.values(painted).flat());

export const svgLimits = { bytes: 200 * 1024, elements: 2000, depth: 32 };
