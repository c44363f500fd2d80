import { renderSvg } from '@signpost/qr';
import { renderPng } from '@signpost/qr/node';
import type { Image } from './image.ts';

/** Draws an image of plain colours with nothing around them: see `isPlain`. */
export const drawPlain = async ({ shortUrl, style, format, sizePx }: Image): Promise<Uint8Array> =>
  format === 'svg'
    ? Buffer.from(renderSvg(shortUrl, style, sizePx))
    : await renderPng(shortUrl, style, sizePx);
