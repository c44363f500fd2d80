import {
  type Deflate,
  gradeStyle,
  luma,
  pixelsOf,
  printRangeMm,
  renderPrintPng,
  renderPrintSvg,
  resolveStyle,
  type Style,
  smallestSafeMm,
  unscannableField,
} from '@signpost/qr';
import { codesText } from '../../strings/codes.ts';
import { formatNumber } from '../../ui/format.ts';

/** What somebody asks for in the download dialog. */
export type Wish = {
  readonly use: 'screen' | 'print' | 'office';
  readonly format: 'png' | 'svg';
  /** On a screen in pixels, elsewhere in the unit. */
  readonly size: number;
  readonly unit: 'mm' | 'in';
  readonly dpi: 300 | 600;
  readonly background: 'design' | 'color' | 'none';
  readonly color: string;
};

const text = codesText.download;
const mmPerInch = 25.4;
const [leastPx, mostPx] = [128, 4096];

/** What suits the use until somebody says otherwise; for print never smaller than is safe. */
export function wishFor(use: Wish['use'], link: string): Wish {
  const rest = { use, unit: 'mm', dpi: 300, background: 'design', color: '#FFFFFF' } as const;
  if (use === 'screen') return { ...rest, format: 'png', size: 1024 };
  const sizeMm = Math.max(30, smallestSafeMm(link));
  return { ...rest, format: use === 'print' ? 'svg' : 'png', size: sizeMm };
}

/** The same width in the other unit, as people write it. */
export const inUnit = (mm: number, unit: Wish['unit']): number =>
  unit === 'mm' ? Math.round(mm) : Math.round((mm / mmPerInch) * 100) / 100;

export const sizeInMm = ({ size, unit }: Pick<Wish, 'size' | 'unit'>): number =>
  unit === 'mm' ? size : size * mmPerInch;

/** Rounded up: a little less than what is safe is not safe. */
export const safeSize = (link: string, unit: Wish['unit']): string => {
  const mm = smallestSafeMm(link);
  return unit === 'mm' ? `${mm} mm` : `${formatNumber(Math.ceil((mm / mmPerInch) * 10) / 10)} in`;
};

/** Why the size cannot be drawn, or null. */
export function sizeFault(link: string, wish: Wish): string | null {
  if (wish.use === 'screen') {
    const fits = Number.isInteger(wish.size) && wish.size >= leastPx && wish.size <= mostPx;
    return fits ? null : text.range(formatNumber(leastPx), `${formatNumber(mostPx)}`);
  }
  const { least, most } = printRangeMm(link, wish.dpi);
  const mm = sizeInMm(wish);
  if (mm >= least && mm <= most) return null;
  const [from, to] = [least, most].map(one => `${formatNumber(inUnit(one, wish.unit))} ${wish.unit}`);
  return text.range(from!, to!);
}

export const isTooSmall = (link: string, wish: Wish): boolean =>
  wish.use !== 'screen' && sizeInMm(wish) < smallestSafeMm(link);

/** The style of this one file. Without a background it is judged on white paper. */
export const styleOf = (style: Style, { background, color }: Wish): Style =>
  background === 'design' ? style : { ...style, backgroundColor: background === 'none' ? '#FFFFFF' : color };

/** What is wrong with another background, in a sentence, and whether nothing could read the file. */
export function backgroundFault(style: Style, wish: Wish): { words: string; isUnreadable: boolean } | null {
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
export async function drawFile(link: string, style: Style, wish: Wish, deflate: Deflate): Promise<Blob> {
  const isClear = wish.background === 'none';
  const chosen = styleOf(style, wish);
  const isScreen = wish.use === 'screen';
  if (wish.format === 'svg') {
    const width = isScreen ? { widthPx: wish.size } : { widthMm: sizeInMm(wish) };
    return new Blob([renderPrintSvg(link, chosen, { ...width, isClear })], { type: 'image/svg+xml' });
  }
  const size = isScreen
    ? { sizePx: wish.size }
    : { sizePx: pixelsOf(sizeInMm(wish), wish.dpi), dpi: wish.dpi };
  const png = await renderPrintPng(link, chosen, { ...size, isClear }, deflate);
  return new Blob([png as Uint8Array<ArrayBuffer>], { type: 'image/png' });
}

/** As a browser compresses. */
export async function browserDeflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  const packed = stream.pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}
