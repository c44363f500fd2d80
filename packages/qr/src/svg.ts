import type { PlacedGradient } from './gradient.ts';
import { type Canvas, canvasOf } from './layout.ts';
import {
  type Fill,
  type PictureShape,
  pathOf,
  type Scene,
  type SceneOptions,
  type Shape,
  sceneOf,
} from './scene.ts';
import type { Style } from './style.ts';

/**
 * The code as an SVG document: a background and one path for each of the three colours. Without a gradient and a logo it
 * holds nothing that could clash or run when it is put into a page: no ids, no styles, no references.
 */
export function renderSvg(text: string, style: Style, sizePx: number, options: SceneOptions = {}): string {
  const scene = sceneOf(text, style, options);
  return svgOf(scene, canvasOf(scene, sizePx));
}

/** Another size for print, such as `30mm`, and no background where the paper's is to show. */
export type SvgOptions = { readonly width?: string; readonly height?: string; readonly isClear?: boolean };

export function svgOf(scene: Scene, canvas: Canvas, options: SvgOptions = {}): string {
  const { widthPx, heightPx, modulePx, leftPx, topPx } = canvas;
  const width = options.width ?? widthPx;
  const height = options.height ?? options.width ?? heightPx;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${widthPx} ${heightPx}">` +
    (options.isClear ? '' : `<rect width="${widthPx}" height="${heightPx}" fill="${scene.background}"/>`) +
    `<g transform="translate(${leftPx} ${topPx})scale(${modulePx / 2})" fill-rule="evenodd">` +
    scene.shapes.map(elementOf).join('') +
    '</g></svg>\n'
  );
}

function elementOf(shape: Shape): string {
  if (shape.kind === 'picture') return pictureElement(shape);
  // The parts of a letter may overlap, which makes them no holes.
  const rule = shape.kind === 'outline' ? ' fill-rule="nonzero"' : '';
  return `${gradientElement(shape.fill)}<path fill="${paintOf(shape.fill)}"${rule} d="${pathOf(shape)}"/>`;
}

const paintOf = (fill: Fill): string => (typeof fill === 'string' ? fill : `url(#${idOf(fill)})`);

function gradientElement(fill: Fill): string {
  if (typeof fill === 'string') return '';
  const stops = fill.stops
    .map(({ offset, color }) => `<stop offset="${offset}" stop-color="${color}"/>`)
    .join('');
  const id = `id="${idOf(fill)}" gradientUnits="userSpaceOnUse"`;
  return fill.type === 'linear'
    ? `<linearGradient ${id} x1="${fill.from.x}" y1="${fill.from.y}" x2="${fill.to.x}" y2="${fill.to.y}">${stops}</linearGradient>`
    : `<radialGradient ${id} cx="${fill.centre.x}" cy="${fill.centre.y}" r="${fill.radius}">${stops}</radialGradient>`;
}

/** From what it names: where two pictures on one page have the same id, they have the same gradient. */
const idOf = (gradient: PlacedGradient): string => `g${hashOf(JSON.stringify(gradient))}`;

/** FNV-1a, twice for 64 bits: the package also runs in browsers, whose hashes are asynchronous. */
function hashOf(text: string): string {
  const run = (seed: number) => {
    let hash = seed;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    return (hash >>> 0).toString(16).padStart(8, '0');
  };
  return run(0x811c9dc5) + run(0x01000193);
}

/** The picture keeps its proportions inside its square; a round one fills the circle in it, and is cut to it by a clip path. */
function pictureElement({ place, shape, picture }: PictureShape): string {
  const { x, y, width, height } = place;
  const filling = shape === 'circle' ? ' preserveAspectRatio="xMidYMid slice"' : '';
  const box = `x="${x}" y="${y}" width="${width}" height="${height}"${filling}`;
  const drawn = picture.svg
    ? `<svg ${box} viewBox="${picture.svg.viewBox}" fill-rule="nonzero">${picture.svg.content}</svg>`
    : `<image ${box} href="data:image/png;base64,${picture.png}"/>`;
  if (shape === 'square') return drawn;
  const id = `c${hashOf(JSON.stringify(place))}`;
  const radius = width / 2;
  return (
    `<clipPath id="${id}"><circle cx="${x + radius}" cy="${y + radius}" r="${radius}"/></clipPath>` +
    `<g clip-path="url(#${id})">${drawn}</g>`
  );
}
