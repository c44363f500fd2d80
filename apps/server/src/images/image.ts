import { hash } from 'node:crypto';
import { rendererVersion, resolveStyle, type Style } from '@signpost/qr';

/** Everything that the pixels of a code's image depend on, and nothing else. */
export type Image = {
  readonly shortUrl: string;
  readonly style: Style;
  readonly format: 'png' | 'svg';
  readonly sizePx: number;
};

/**
 * Equal for equal bytes, and known without drawing. The version of zlib is part of it, since another one may compress the
 * same pixels to other bytes.
 */
export function etagOf({ shortUrl, style, format, sizePx }: Image): string {
  const look = JSON.stringify(Object.entries(resolveStyle(style)).sort());
  const parts = [rendererVersion, process.versions.zlib, shortUrl, look, format, sizePx].join('\n');
  return `"${hash('sha256', parts, 'base64url').slice(0, 22)}"`;
}

export const contentTypes = { png: 'image/png', svg: 'image/svg+xml; charset=utf-8' } as const;

/** Above this width an image takes long to draw: only one is drawn at a time, and it counts as four in the rate limit. */
const largePx = 1024;
export const isLarge = ({ format, sizePx }: Image): boolean => format === 'png' && sizePx > largePx;
