import { type ImageQuery, ImageQuery as ImageQuerySchema, operations } from '@signpost/contract';
import type { Style } from '@signpost/qr';
import type { App } from '../http/app.ts';
import { type FileAnswer, sendFile } from '../http/files.ts';
import type { Routes } from '../http/routes.ts';
import type { Caller } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { parseId, type Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres.ts';
import { contentTypes, etagOf, type Image } from './image.ts';
import type { Renderer } from './renderer.ts';

/** Where images find the codes they show. */
export type CodeSource = {
  /** A code of the caller's, or a refusal. */
  get(on: Database, caller: Caller, id: Uuid | null): Promise<Drawable>;
  /** Any code at all, deleted ones included. */
  findAny(on: Database, id: Uuid): Promise<(Drawable & { readonly deleted: boolean }) | null>;
};

type Drawable = { readonly shortCode: string; readonly style: Style };

type Parts = {
  /** For the public image, which is no operation of the API. */
  readonly db: Database;
  readonly codes: CodeSource;
  readonly renderer: Renderer;
  readonly shortBaseUrl: string;
};

/** The download, for the owner, and the public image, for whoever is shown it. */
export function addImageRoutes(app: App, routes: Routes, { db, codes, renderer, shortBaseUrl }: Parts): void {
  const imageOf = ({ shortCode, style }: Drawable, { format = 'png', size = 512 }: ImageQuery): Image => ({
    shortUrl: `${shortBaseUrl}/${shortCode}`,
    style,
    format,
    sizePx: size,
  });

  routes.addFile(operations.downloadQrCode, async ({ db: on, caller, params, query }) => {
    const code = await codes.get(on, caller, parseId('qr', params.id));
    const image = imageOf(code, query);
    return answer(image, renderer, {
      'cache-control': 'private, max-age=3600',
      vary: 'Authorization',
      'content-disposition': `attachment; filename="${code.shortCode}.${image.format}"`,
    });
  });

  app.get('/images/:id/public', { schema: { querystring: ImageQuerySchema } }, async (request, reply) => {
    const { id } = request.params as { id: string };
    const uuid = parseId('qr', id);
    const code = uuid && (await codes.findAny(db, uuid));
    if (!code) throw new AppError('not_found', 'No QR code has this id.');
    if (code.deleted) throw new AppError('gone', 'This QR code was deleted.');
    const file = answer(imageOf(code, request.query as ImageQuery), renderer, {
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      'cross-origin-resource-policy': 'cross-origin',
    });
    return sendFile(request, reply, file);
  });
}

function answer(image: Image, renderer: Renderer, headers: Record<string, string>): FileAnswer {
  return {
    etag: etagOf(image),
    type: contentTypes[image.format],
    // An SVG opened by itself is a page: it may run nothing and load nothing.
    headers:
      image.format === 'svg'
        ? { ...headers, 'content-security-policy': "default-src 'none'; sandbox" }
        : headers,
    content: () => renderer.render(image),
  };
}
