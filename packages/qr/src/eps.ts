import { colorAlong, type PlacedGradient } from './gradient.ts';
import { componentsOf, decimal, decimals, type InkMode, inkBytes } from './ink.ts';
import { circlePath, fitted, type PaperSize, paperOf } from './page-size.ts';
import { type Segment, segmentsOf } from './path.ts';
import { resample } from './resample.ts';
import { type PictureShape, pathOf, type Scene, type SceneOptions, type Shape, sceneOf } from './scene.ts';
import type { Style } from './style.ts';

export type EpsOptions = PaperSize & { readonly ink?: InkMode | undefined };

/** A code as EPS of language level 2, which trade programs of any age place on a page. */
export function renderEps(text: string, style: Style, options: EpsOptions & SceneOptions): string {
  const scene = sceneOf(text, style, options);
  const paper = paperOf(scene, options);
  const write = createWriter(scene, options.ink ?? 'rgb');
  const [width, height] = [paper.width, paper.height];
  return [
    '%!PS-Adobe-3.0 EPSF-3.0',
    `%%BoundingBox: 0 0 ${Math.ceil(width - 1e-6)} ${Math.ceil(height - 1e-6)}`,
    `%%HiResBoundingBox: 0 0 ${decimals([width, height])}`,
    '%%LanguageLevel: 2',
    '%%DocumentData: Clean7Bit',
    '%%Pages: 1',
    '%%EndComments',
    '%%BeginProlog',
    // Dictionaries of other files on the same page stay as they are.
    '10 dict begin /m{moveto}bind def/l{lineto}bind def/c{curveto}bind def/h{closepath}bind def',
    '%%EndProlog',
    '%%Page: 1 1',
    'gsave',
    `${write.background()} 0 0 ${decimals([width, height])} rectfill`,
    `${decimals([paper.left, paper.top])} translate ${paper.scale.toFixed(8)} ${(-paper.scale).toFixed(8)} scale`,
    ...scene.shapes.map(write.shape),
    'grestore end',
    '%%EOF',
    '',
  ].join('\n');
}

function createWriter({ background }: Scene, ink: InkMode) {
  const setter = ink === 'rgb' ? 'setrgbcolor' : 'setcmykcolor';
  const colored = (color: string) =>
    color === background ? paper() : `${decimals(componentsOf(color, ink))} ${setter}`;
  const paper = () =>
    ink === 'k' ? '0 0 0 0 setcmykcolor' : `${decimals(componentsOf(background, ink))} setrgbcolor`;

  function shape(one: Shape): string {
    if (one.kind === 'picture') return picture(one, background, ink);
    const path = operatorsOf(segmentsOf(pathOf(one)));
    const rule = one.kind === 'outline' ? '' : 'eo';
    if (typeof one.fill === 'string') return `${colored(one.fill)} newpath ${path} ${rule}fill`;
    return `gsave newpath ${path} ${rule}clip newpath\n${bands(one.fill, colored)}\ngrestore`;
  }

  return { background: paper, shape };
}

/** Level 2 has no gradients: bands so narrow that no step shows, each over the end of the one before it. */
const bandCount = 128;

function bands(gradient: PlacedGradient, colored: (color: string) => string): string {
  const colorAt = colorAlong(gradient.stops);
  const hex = (share: number) =>
    `#${colorAt(share)
      .map(value => value.toString(16).padStart(2, '0'))
      .join('')}`;
  const shares = Array.from({ length: bandCount }, (_, band) => band / bandCount);
  if (gradient.type === 'radial') {
    const { centre, radius } = gradient;
    // From the outside in, the outermost without an end.
    return shares
      .map(share => 1 - share)
      .map((share, at) => {
        const reach = at === 0 ? radius * 4 : radius * share;
        const color = colored(hex(share - 0.5 / bandCount));
        return `${color} newpath ${decimals([centre.x, centre.y, reach])} 0 360 arc fill`;
      })
      .join('\n');
  }
  const { from, to } = gradient;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
  const lines = shares.map((share, at) => {
    const start = at === 0 ? -length : share * length;
    return `${colored(hex(share + 0.5 / bandCount))} ${decimals([start, -2 * length, 3 * length, 4 * length])} rectfill`;
  });
  return `${decimals([from.x, from.y])} translate ${decimal(angle)} rotate\n${lines.join('\n')}`;
}

/** More pixels than this a logo does not need on paper, and EPS does not compress them. */
const largestPicturePx = 400;

function picture(
  { place, shape, picture: { pixels } }: PictureShape,
  background: string,
  ink: InkMode,
): string {
  const scale = Math.min(1, largestPicturePx / Math.max(pixels.width, pixels.height));
  const width = Math.max(1, Math.round(pixels.width * scale));
  const height = Math.max(1, Math.round(pixels.height * scale));
  const data = scale === 1 ? pixels.data : resample(pixels, width, height);
  const box = fitted(place, { width, height }, shape);
  const clip =
    shape === 'circle' ? `newpath ${operatorsOf(segmentsOf(circlePath(place)))} clip newpath\n` : '';
  const space =
    ink === 'rgb'
      ? '/DeviceRGB setcolorspace'
      : '[/Separation (Black) /DeviceCMYK {0 exch 0 exch 0 exch}] setcolorspace';
  const decode = ink === 'rgb' ? '0 1 0 1 0 1' : '0 1';
  return [
    `gsave ${clip}${decimals([box.x, box.y])} translate ${decimals([box.width, box.height])} scale`,
    space,
    `<</ImageType 1/Width ${width}/Height ${height}/BitsPerComponent 8/Decode[${decode}]` +
      `/ImageMatrix[${width} 0 0 ${height} 0 0]/DataSource currentfile/ASCIIHexDecode filter>>image`,
    `${hexLines(inkBytes({ width, height, data }, background, ink))}>`,
    'grestore',
  ].join('\n');
}

/** Lines of at most 255 characters, as the conventions of EPS ask for. */
function hexLines(bytes: Uint8Array): string {
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/.{1,240}/g, '$&\n').trimEnd();
}

/** A path breaks into lines too. */
const operatorsOf = (segments: readonly Segment[]): string =>
  segments
    .map((segment, at) => {
      const end = at % 6 === 5 ? '\n' : '';
      if (segment.kind === 'close') return `h${end}`;
      if (segment.kind === 'curve')
        return `${decimals([segment.x1, segment.y1, segment.x2, segment.y2, segment.x, segment.y])} c${end}`;
      return `${decimals([segment.x, segment.y])} ${segment.kind === 'move' ? 'm' : 'l'}${end}`;
    })
    .join(' ');
