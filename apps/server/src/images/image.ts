import { hash } from 'node:crypto';
import type { Frame } from '@signpost/contract';
import { rendererVersion, resolveStyle, type Style } from '@signpost/qr';
import type { InkMode } from '@signpost/qr/vector';
import type { StoredLogo } from '../designs/assets/asset.ts';

/** Everything that the pixels of a code's image depend on, and nothing else. */
export type Image = {
  readonly shortUrl: string;
  readonly style: Style;
  readonly format: ImageFormat;
  readonly sizePx: number;
  readonly print?: PrintOptions | undefined;
  /** The picture of the style's logo. Named by the style, and never changed. */
  readonly logo?: StoredLogo | undefined;
};

export type ImageFormat = 'png' | 'svg' | 'pdf' | 'eps';

/** What a download may ask for besides format and size. */
type PrintOptions = {
  readonly widthMm?: number | undefined;
  readonly bleedMm?: number | undefined;
  readonly ink?: InkMode | undefined;
  readonly dpi?: number | undefined;
  readonly isClear?: boolean | undefined;
  readonly frame?: Frame | undefined;
};

/**
 * Equal for equal bytes, and known without drawing. The version of zlib is part of it, since another one may compress the
 * same pixels to other bytes.
 */
export function computeEtag({ shortUrl, style, format, sizePx, print }: Image): string {
  const look = JSON.stringify(Object.entries(resolveStyle(style)).sort());
  const more =
    print && Object.values(print).some(value => value !== undefined) ? [JSON.stringify(print)] : [];
  const parts = [rendererVersion, process.versions.zlib, shortUrl, look, format, sizePx, ...more].join('\n');
  return `"${hash('sha256', parts, 'base64url').slice(0, 22)}"`;
}

export const contentTypes: Readonly<Record<ImageFormat, string>> = {
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  pdf: 'application/pdf',
  eps: 'application/postscript',
};

/** Above this width an image takes long to draw: it is drawn in a thread, and counts as four in the rate limit. */
const largePx = 1024;
export const isLarge = ({ format, sizePx }: Image): boolean => format === 'png' && sizePx > largePx;

/** Whether it is drawn in a moment, on the event loop: plain colours and nothing around them. */
export const isPlain = ({ style, format, print }: Image): boolean =>
  (format === 'png' || format === 'svg') &&
  !style.logo &&
  !style.dotsGradient &&
  Object.values(print ?? {}).every(value => value === undefined);
