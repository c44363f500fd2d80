import { hash } from 'node:crypto';
import { rendererVersion, resolveStyle, type Style } from '@signpost/qr';

/** A picture of a short link. Everything that its pixels depend on, and nothing else. */
export type Image = {
  readonly shortUrl: string;
  readonly style: Style;
  readonly format: 'png' | 'svg';
  readonly sizePx: number;
};

/**
 * The same for the same bytes, and known without drawing. The version of zlib is part of it since another one may
 * compress the same pixels to other bytes.
 */
export function etagOf({ shortUrl, style, format, sizePx }: Image): string {
  const look = JSON.stringify(Object.entries(resolveStyle(style)).sort());
  const all = [rendererVersion, process.versions.zlib, shortUrl, look, format, sizePx].join('\n');
  return `"${hash('sha256', all, 'base64url').slice(0, 22)}"`;
}

export const contentTypes = { png: 'image/png', svg: 'image/svg+xml; charset=utf-8' } as const;

/** Above this width an image takes long to paint: one at a time is drawn, and it weighs four times as much. */
const largePx = 1024;
export const isLarge = ({ format, sizePx }: Image): boolean => format === 'png' && sizePx > largePx;
