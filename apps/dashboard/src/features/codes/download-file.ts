import {
  type Deflate,
  gradeStyle,
  isNearlyBlack,
  largestBleedMm,
  logoPlanFor,
  luma,
  paperWidthMm,
  pixelsOf,
  printRangeMm,
  renderPrintPng,
  renderPrintSvg,
  resolveStyle,
  type SceneOptions,
  type Style,
  smallestSafeMm,
  toCompact,
  unscannableField,
} from '@signpost/qr';
import { downloadText } from '../../strings/download.ts';
import { formatNumber } from '../../ui/format.ts';

/** What somebody asks for in the download dialog. */
export type Wish = {
  readonly use: 'screen' | 'print' | 'office';
  readonly format: 'png' | 'svg' | 'pdf' | 'eps';
  /** On a screen in pixels, elsewhere in the unit. */
  readonly size: number;
  readonly unit: 'mm' | 'in';
  readonly dpi: 300 | 600;
  readonly background: 'design' | 'color' | 'none';
  readonly color: string;
  /** Of PDF and EPS. */
  readonly bleedMm: number;
  readonly ink: 'rgb' | 'k';
};

/** What is drawn: the link of the code, in its own style or that of a design, with a frame or without. */
export type Subject = {
  readonly link: string;
  readonly style: Style;
  readonly frame?: SceneOptions['frame'];
};

const text = downloadText;
const mmPerInch = 25.4;
const [minPx, maxPx] = [128, 4096];

export const formatsOf: Readonly<Record<Wish['use'], readonly Wish['format'][]>> = {
  screen: ['png', 'svg'],
  print: ['pdf', 'svg', 'eps', 'png'],
  office: ['png', 'svg'],
};

/** For printers alone: other programs show a PDF or an EPS on white anyway. */
export const isForPrinters = ({ format }: Wish): boolean => format === 'pdf' || format === 'eps';

/** What suits the use until somebody says otherwise; for print never smaller than is safe. */
export function wishFor(use: Wish['use'], { link, style, frame }: Subject): Wish {
  const rest = {
    use,
    unit: 'mm',
    dpi: 300,
    background: 'design',
    color: '#FFFFFF',
    bleedMm: 0,
    ink: 'rgb',
  } as const;
  const format = formatsOf[use][0]!;
  if (use === 'screen') return { ...rest, format, size: 1024 };
  return { ...rest, format, size: Math.max(30, smallestSafeMm(link, style, { frame })) };
}

/** The same wish for another format: what that one cannot do falls back to what it can. */
export const inFormat = (wish: Wish, format: Wish['format']): Wish => {
  const next = { ...wish, format };
  return isForPrinters(next)
    ? { ...next, background: wish.background === 'none' ? 'design' : wish.background }
    : { ...next, bleedMm: 0, ink: 'rgb' };
};

/** The same width in the other unit, as people write it. */
export const inUnit = (mm: number, unit: Wish['unit']): number =>
  unit === 'mm' ? Math.round(mm) : Math.round((mm / mmPerInch) * 100) / 100;

export const sizeInMm = ({ size, unit }: Pick<Wish, 'size' | 'unit'>): number =>
  unit === 'mm' ? size : size * mmPerInch;

/** Rounded up: a little less than what is safe is not safe. */
export const safeSize = ({ link, style, frame }: Subject, unit: Wish['unit']): string => {
  const mm = smallestSafeMm(link, style, { frame });
  return unit === 'mm' ? `${mm} mm` : `${formatNumber(Math.ceil((mm / mmPerInch) * 10) / 10)} in`;
};

/** Why the size cannot be drawn, or null. */
export function sizeFault({ link, style, frame }: Subject, wish: Wish): string | null {
  if (wish.use === 'screen') {
    const fits = Number.isInteger(wish.size) && wish.size >= minPx && wish.size <= maxPx;
    return fits ? null : text.range(formatNumber(minPx), `${formatNumber(maxPx)}`);
  }
  const range = wish.format === 'png' ? printRangeMm(link, wish.dpi, style, { frame }) : paperWidthMm;
  const mm = sizeInMm(wish);
  if (mm >= range.least && mm <= range.most) return null;
  const [from, to] = [range.least, range.most].map(
    one => `${formatNumber(inUnit(one, wish.unit))} ${wish.unit}`,
  );
  return text.range(from!, to!);
}

export const bleedFault = ({ bleedMm }: Wish): string | null =>
  bleedMm >= 0 && bleedMm <= largestBleedMm ? null : text.bleedRange(largestBleedMm);

export const isTooSmall = ({ link, style, frame }: Subject, wish: Wish): boolean =>
  wish.use !== 'screen' && sizeInMm(wish) < smallestSafeMm(link, style, { frame });

/** The style of this one file. Without a background it is judged on white paper. */
export const styleOf = (style: Style, { background, color }: Wish): Style =>
  background === 'design' ? style : { ...style, backgroundColor: background === 'none' ? '#FFFFFF' : color };

type Fault = { readonly words: string; readonly isUnreadable: boolean };

/** What is wrong with the look of this file, in a sentence, and whether nothing could read it. */
export function styleFault({ link, style }: Subject, wish: Wish): Fault | null {
  if (style.logo && !logoPlanFor(link, style.logo, style.compact))
    return { words: text.noRoom, isUnreadable: true };
  if (wish.ink === 'k' && !isNearlyBlack(style)) return { words: text.inkRefused, isUnreadable: true };
  const fault = backgroundFault(style, wish);
  if (fault) return fault;
  return style.compact && !toCompact(link) ? { words: text.notCompact, isUnreadable: false } : null;
}

function backgroundFault(style: Style, wish: Wish): Fault | null {
  if (wish.background === 'design') return null;
  const chosen = styleOf(style, wish);
  if (wish.background === 'none') {
    const isLight = gradeStyle(chosen).level === 'poor' && luma(resolveStyle(style).dotsColor) > 128;
    return isLight ? { words: text.clearInverted, isUnreadable: false } : null;
  }
  if (unscannableField(chosen) !== null) return { words: text.wontScan, isUnreadable: true };
  return gradeStyle(chosen).level === 'good' || gradeStyle(chosen).level === gradeStyle(style).level
    ? null
    : { words: text.mayNotScan, isUnreadable: false };
}

/** The file, drawn here by the package that draws it on the server. */
export async function drawFile(
  { link, style, frame }: Subject,
  wish: Wish,
  deflate: Deflate,
  { logo }: Pick<SceneOptions, 'logo'> = {},
): Promise<Blob> {
  const chosen = styleOf(style, wish);
  const scene = { logo, frame };
  const isClear = wish.background === 'none';
  const isScreen = wish.use === 'screen';
  switch (wish.format) {
    case 'svg': {
      const width = isScreen ? { widthPx: wish.size } : { widthMm: sizeInMm(wish) };
      return new Blob([renderPrintSvg(link, chosen, { ...width, isClear }, scene)], {
        type: 'image/svg+xml',
      });
    }
    case 'png': {
      const size = isScreen
        ? { sizePx: wish.size }
        : { sizePx: pixelsOf(sizeInMm(wish), wish.dpi), dpi: wish.dpi };
      const png = await renderPrintPng(link, chosen, { ...size, isClear }, deflate, scene);
      return new Blob([png as Uint8Array<ArrayBuffer>], { type: 'image/png' });
    }
    case 'pdf':
    case 'eps':
      return await drawPaper(link, chosen, wish, deflate, scene);
    default:
      throw new TypeError(`No such format: ${wish.format satisfies never}`);
  }
}

async function drawPaper(
  link: string,
  style: Style,
  wish: Wish,
  deflate: Deflate,
  scene: SceneOptions,
): Promise<Blob> {
  const { renderEps, renderPdf } = await import('@signpost/qr/vector');
  const options = { widthMm: sizeInMm(wish), bleedMm: wish.bleedMm, ink: wish.ink, ...scene };
  if (wish.format === 'eps')
    return new Blob([renderEps(link, style, options)], { type: 'application/postscript' });
  const pdf = await renderPdf(link, style, options, deflate);
  return new Blob([pdf as Uint8Array<ArrayBuffer>], { type: 'application/pdf' });
}

/** As a browser compresses. */
export async function browserDeflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  const packed = stream.pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}
