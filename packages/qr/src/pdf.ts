import type { PlacedGradient } from './gradient.ts';
import { componentsOf, decimal, decimals, type InkMode, inkBytes } from './ink.ts';
import { circlePath, fitted, type PaperSize, paperOf } from './page-size.ts';
import { type Segment, segmentsOf } from './path.ts';
import { createPdfFile, type PdfObject } from './pdf-file.ts';
import type { Deflate } from './png.ts';
import { type PictureShape, pathOf, type Scene, type SceneOptions, type Shape, sceneOf } from './scene.ts';
import type { Style } from './style.ts';

export type PdfOptions = PaperSize & { readonly ink?: InkMode | undefined };

/** A code as a PDF of one page, for printers: curves and no fonts, with the box at which it is cut. */
export async function renderPdf(
  text: string,
  style: Style,
  options: PdfOptions & SceneOptions,
  deflate: Deflate,
): Promise<Uint8Array> {
  const scene = sceneOf(text, style, options);
  const { width, height, bleed, scale, left, top } = paperOf(scene, options);
  const painter = createPdfPainter(options.ink);
  painter.fill(scene.background, `0 0 ${decimal(width)} ${decimal(height)} re`);
  painter.draw(scene, { scale, left, top });

  const file = createPdfFile(deflate);
  const chunks = file.start();
  const added = (object: PdfObject): string => {
    chunks.push(object.chunk);
    return `${object.id} 0 R`;
  };
  const shadings = painter.shadings.map(shading => added(file.object(shading)));
  const pictures: string[] = [];
  for (const { entries, bytes } of painter.pictures)
    pictures.push(added(await file.stream(entries, bytes())));
  const content = added(await file.stream('', painter.bytes()));
  const trim = decimals([bleed, bleed, width - bleed, height - bleed]);
  const media = `[0 0 ${decimals([width, height])}]`;
  const resources = pdfResources({ Shading: named('S', shadings), XObject: named('X', pictures) });
  chunks.push(
    file.page(`/MediaBox${media}/BleedBox${media}/TrimBox[${trim}]${resources}/Contents ${content}`),
    ...file.end(),
  );
  return join(chunks);
}

/** What a page or a form names in its operators: entries of each kind. */
export function pdfResources(kinds: Readonly<Record<string, readonly string[]>>): string {
  const named = Object.entries(kinds)
    .filter(([, entries]) => entries.length > 0)
    .map(([kind, entries]) => `/${kind}<<${entries.join('')}>>`);
  return `/Resources<<${named.join('')}>>`;
}

/** Entries under the names that a painter's operators use. */
export const named = (letter: 'S' | 'X', values: readonly string[]): string[] =>
  values.map((value, at) => `/${letter}${at} ${value}`);

/** Where a scene lies on a page: points to a half module, and the place of its zero from the lower left corner. */
export type ScenePlace = { readonly scale: number; readonly left: number; readonly top: number };

/** A picture as an object of a PDF. */
type PdfPicture = { readonly entries: string; bytes(): Uint8Array };

/** Writes scenes as operators. Their shadings are named S0, S1 and so on, and their pictures X0, X1 and so on. */
export function createPdfPainter(ink: InkMode = 'rgb') {
  const content: string[] = [];
  const shadings: string[] = [];
  const pictures: PdfPicture[] = [];
  const colorOperator = ink === 'rgb' ? 'rg' : 'k';
  const colorSpace = ink === 'rgb' ? '/DeviceRGB' : '/DeviceCMYK';
  const colored = (color: string, isBackground = false) =>
    `${decimals(ink === 'k' && isBackground ? [0, 0, 0, 0] : componentsOf(color, ink))} ${colorOperator}`;

  function addShading(gradient: PlacedGradient): string {
    const { stops } = gradient;
    const functions = stops.slice(1).map((stop, at) => {
      const ends = [stops[at]!, stop].map(({ color }) => `[${decimals(componentsOf(color, ink))}]`);
      return `<</FunctionType 2/Domain[0 1]/C0${ends[0]}/C1${ends[1]}/N 1>>`;
    });
    const bounds = decimals(stops.slice(1, -1).map(stop => stop.offset));
    const encode = functions.map(() => '0 1').join(' ');
    const domain = decimals([stops[0]!.offset, stops[stops.length - 1]!.offset]);
    const all = `<</FunctionType 3/Domain[${domain}]/Functions[${functions.join('')}]/Bounds[${bounds}]/Encode[${encode}]>>`;
    const place =
      gradient.type === 'linear'
        ? along(gradient)
        : [
            gradient.centre.x,
            gradient.centre.y,
            gradient.radius * stops[0]!.offset,
            gradient.centre.x,
            gradient.centre.y,
            gradient.radius * stops[stops.length - 1]!.offset,
          ];
    const type = gradient.type === 'linear' ? 2 : 3;
    shadings.push(
      `<</ShadingType ${type}/ColorSpace${colorSpace}/Coords[${decimals(place)}]/Domain[${domain}]/Function${all}/Extend[true true]>>`,
    );
    return `/S${shadings.length - 1} sh`;
  }

  function addPicture({ place, shape, picture }: PictureShape, background: string): string {
    const { width, height } = picture.pixels;
    const space =
      ink === 'rgb'
        ? '/DeviceRGB'
        : '[/Separation/Black/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 0 0 1]/N 1>>]';
    pictures.push({
      entries: `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/ColorSpace${space}`,
      bytes: () => inkBytes(picture.pixels, background, ink),
    });
    const box = fitted(place, picture.pixels, shape);
    const clip = shape === 'circle' ? `${operatorsOf(segmentsOf(circlePath(place)))} W n ` : '';
    // A picture fills the unit square from below; here down is positive.
    return `q ${clip}${decimals([box.width, 0, 0, -box.height, box.x, box.y + box.height])} cm /X${pictures.length - 1} Do Q`;
  }

  function operatorsFor(shape: Shape, background: string): string {
    if (shape.kind === 'picture') return addPicture(shape, background);
    const path = operatorsOf(segmentsOf(pathOf(shape)));
    // Outlines of letters may overlap; all others have holes where they are drawn twice.
    const rule = shape.kind === 'outline' ? '' : '*';
    if (typeof shape.fill === 'string')
      return `${colored(shape.fill, shape.fill === background)} ${path} f${rule}`;
    return `q ${path} W${rule} n ${addShading(shape.fill)} Q`;
  }

  return {
    shadings: shadings as readonly string[],
    pictures: pictures as readonly PdfPicture[],

    /** Fills an area in points, as a background does. */
    fill(color: string, area: string): void {
      content.push(`${colored(color, true)} ${area} f`);
    },

    /** Operators of somebody else's, in a colour. */
    write(color: string, operators: readonly string[], place: ScenePlace): void {
      content.push(`q ${matrixOf(place)} cm ${colored(color)}`, ...operators, 'Q');
    },

    draw(scene: Pick<Scene, 'background' | 'shapes'>, place: ScenePlace): void {
      content.push(`q ${matrixOf(place)} cm`);
      for (const shape of scene.shapes) content.push(operatorsFor(shape, scene.background));
      content.push('Q');
    },

    /** The operators, as they are written into a file. */
    bytes: (): Uint8Array => new TextEncoder().encode(content.join('\n')),
  };
}

/** The part of the line of a gradient from its first to its last stop. */
function along({ from, to, stops }: Extract<PlacedGradient, { type: 'linear' }>): number[] {
  const at = (share: number) => [from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share];
  return [...at(stops[0]!.offset), ...at(stops[stops.length - 1]!.offset)];
}

const matrixOf = ({ scale, left, top }: ScenePlace): string =>
  `${[scale, 0, 0, -scale].map(six).join(' ')} ${decimals([left, top])}`;

/** More digits for a scale, which every place is multiplied by. */
const six = (value: number) => value.toFixed(8).replace(/\.?0+$/, '');

export function operatorsOf(segments: readonly Segment[]): string {
  return segments
    .map(segment => {
      switch (segment.kind) {
        case 'move':
          return `${decimals([segment.x, segment.y])} m`;
        case 'line':
          return `${decimals([segment.x, segment.y])} l`;
        case 'curve':
          return `${decimals([segment.x1, segment.y1, segment.x2, segment.y2, segment.x, segment.y])} c`;
        case 'close':
          return 'h';
        default:
          throw new TypeError(`No such segment: ${segment satisfies never}`);
      }
    })
    .join(' ');
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
