import { designsText } from '../../strings/designs.ts';
import { base64Of } from './logo-picture.ts';
import { LogoRefusal } from './logo-refusal.ts';
import { shapesOf } from './svg-shapes.ts';

const words = designsText.logo.refused;

/** What the server takes: pixels, and the same as shapes where the file has only shapes. */
export type LogoFile = {
  readonly image: string;
  readonly vector: string | null;
  readonly isVector: boolean;
};

const largestFile = 10 * 1024 * 1024;
const [minPx, largestPng] = [64, 512 * 1024];
/** From the best down to the first whose PNG is small enough. */
const sizesPx = [1024, 768, 512, 384, 256];

/** Makes a logo of whatever is dropped. It is drawn here, so its size and format do not matter, and its metadata stays behind. */
export async function readLogo(file: File): Promise<LogoFile> {
  if (file.size > largestFile) throw new LogoRefusal(words.large);
  if (isSvg(file)) return await readSvg(file);
  if (!/^image\/(png|jpeg|webp)$/.test(file.type)) throw new LogoRefusal(words.kind);
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) throw new LogoRefusal(words.unreadable);
  return { image: await pngOf(bitmap, bitmap), vector: null, isVector: false };
}

const isSvg = ({ type, name }: File) => type === 'image/svg+xml' || (type === '' && /\.svg$/i.test(name));

async function readSvg(file: File): Promise<LogoFile> {
  const root = new DOMParser().parseFromString(await file.text(), 'image/svg+xml').documentElement;
  const size = root.localName === 'svg' ? sizeOf(root) : null;
  if (!size) throw new LogoRefusal(words.unreadable);
  const picture = await pictureOf(root, size);
  return { image: await pngOf(picture, size), vector: shapesOf(root), isVector: true };
}

type Size = { readonly width: number; readonly height: number };

/** Its proportions, as its drawing area or its own size tells them. */
function sizeOf(root: Element): Size | null {
  const box = (root.getAttribute('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [width, height] =
    box.length === 4
      ? box.slice(2)
      : ['width', 'height'].map(name => Number.parseFloat(root.getAttribute(name) ?? ''));
  if (!(width! > 0 && height! > 0 && Number.isFinite(width) && Number.isFinite(height))) return null;
  return { width: width!, height: height! };
}

/** The SVG as a picture: a browser runs and loads nothing in one. */
async function pictureOf(root: Element, { width, height }: Size): Promise<HTMLImageElement> {
  const scale = sizesPx[0]! / Math.max(width, height);
  const copy = root.cloneNode(true) as Element;
  if (!copy.hasAttribute('viewBox')) copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
  copy.setAttribute('width', String(width * scale));
  copy.setAttribute('height', String(height * scale));
  const url = URL.createObjectURL(
    new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' }),
  );
  try {
    const picture = new Image();
    picture.src = url;
    await picture.decode();
    return picture;
  } catch {
    throw new LogoRefusal(words.unreadable);
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function pngOf(picture: CanvasImageSource, { width, height }: Size): Promise<string> {
  for (const sizePx of sizesPx) {
    const place = placeIn(sizePx, { width, height }, picture instanceof HTMLImageElement);
    const canvas = new OffscreenCanvas(place.canvasWidth, place.canvasHeight);
    const context = canvas.getContext('2d')!;
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, place.x, place.y, place.width, place.height);
    const png = await canvas.convertToBlob({ type: 'image/png' });
    if (png.size <= largestPng) return await base64Of(png);
  }
  throw new LogoRefusal(words.detailed);
}

/** Pixels are never made up; a picture with fewer than the server takes gets a clear border. Shapes fill the size. */
function placeIn(sizePx: number, { width, height }: Size, isVector: boolean) {
  const fitting = sizePx / Math.max(width, height);
  const scale = isVector ? fitting : Math.min(1, fitting);
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const [canvasWidth, canvasHeight] = [Math.max(minPx, w), Math.max(minPx, h)];
  return {
    canvasWidth,
    canvasHeight,
    x: Math.round((canvasWidth - w) / 2),
    y: Math.round((canvasHeight - h) / 2),
    width: w,
    height: h,
  };
}
