import { type ImageQuery, ImageQuery as ImageQuerySchema, operations } from '@signpost/contract';
import { fits, type Style } from '@signpost/qr';
import type { FastifyRequest } from 'fastify';
import type { App } from '../http/app.ts';
import { type FileAnswer, sendFile } from '../http/files.ts';
import type { Routes } from '../http/routes.ts';
import { compileQueryValidator } from '../http/validation.ts';
import type { Caller } from '../kernel/caller.ts';
import { addressBlock, type ClientAddress } from '../kernel/client-address.ts';
import { AppError } from '../kernel/errors.ts';
import { parseId, type Uuid } from '../kernel/ids.ts';
import { type LinkName, shortUrlOf } from '../kernel/link-key.ts';
import type { WeightedWindows } from '../limits/weighted-windows.ts';
import type { Database } from '../platform/postgres.ts';
import { contentTypes, etagOf, type Image, isLarge } from './image.ts';
import type { Renderer } from './renderer.ts';

/** Where images find the codes they show. */
export type CodeSource = {
  /** A code of the caller's, or a refusal. */
  get(on: Database, caller: Caller, id: Uuid | null): Promise<Drawable>;
  /** Any code at all, deleted ones included. */
  findAny(on: Database, id: Uuid): Promise<(Drawable & { readonly deleted: boolean }) | null>;
};

const usualSizePx = 512;

type Drawable = LinkName & { readonly style: Style };

type Parts = {
  /** For the public image, which is no operation of the API. */
  readonly db: Database;
  readonly codes: CodeSource;
  readonly renderer: Renderer;
  readonly shortBaseUrl: string;
  readonly clientAddress: ClientAddress;
  /** What strangers make this process draw, by address. In memory: no address leaves the process. */
  readonly drawings: WeightedWindows;
  readonly drawingsPerMinute: number;
};

/** The download, for the owner, and the public image, for whoever is shown it. */
export function addImageRoutes(app: App, routes: Routes, parts: Parts): void {
  const { db, codes, renderer, shortBaseUrl, clientAddress, drawings, drawingsPerMinute } = parts;
  const imageOf = (
    { style, ...name }: Drawable,
    { format = 'png', size = usualSizePx }: ImageQuery,
  ): Image => ({
    shortUrl: shortUrlOf(shortBaseUrl, name),
    style,
    format,
    sizePx: size,
  });

  routes.addFile(operations.downloadQrCode, async ({ db: on, caller, params, query }) => {
    const code = await codes.get(on, caller, parseId('qr', params.id));
    const image = imageOf(code, query);
    const headers = {
      'cache-control': 'private, max-age=3600',
      vary: 'Authorization',
      'content-disposition': `attachment; filename="${code.shortCode}.${image.format}"`,
    };
    return answer(image, headers, () => renderer.render(image, { is: 'owner' }));
  });

  app.get('/images/:id/public', async (request, reply) => {
    const { id } = request.params as { id: string };
    const uuid = parseId('qr', id);
    const code = uuid && (await codes.findAny(db, uuid));
    if (!code) throw new AppError('not_found', 'No QR code has this id.');
    if (code.deleted) throw new AppError('gone', 'This QR code was deleted.');
    const image = fitting(imageOf(code, usableOf(request.query as object)));
    const headers = {
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      'cross-origin-resource-policy': 'cross-origin',
    };
    const stranger = { is: 'stranger', count: () => countDrawing(request, image) } as const;
    return sendFile(
      request,
      reply,
      answer(image, headers, () => renderer.render(image, stranger)),
    );
  });

  /** Only what has to be drawn counts: what is in memory costs nothing, and is served to everybody. */
  function countDrawing({ socket, headers }: FastifyRequest, image: Image): void {
    const address = clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for']);
    const weight = Math.min(isLarge(image) ? 4 : 1, drawingsPerMinute);
    const verdict = drawings.take(addressBlock(address), drawingsPerMinute, weight);
    if (verdict.allowed) return;
    const retryAfterSeconds = Math.ceil(verdict.waitMs / 1000);
    throw new AppError(
      'rate_limit_exceeded',
      `More than ${drawingsPerMinute} new images in a minute were asked for from your address. Wait ${retryAfterSeconds} s and try again; images that were drawn before are still served.`,
      { retryAfterSeconds },
    );
  }
}

const readQuery = compileQueryValidator(ImageQuerySchema);

/** The public image is shown by pages and mails that put what they like behind an address: what is of no use is left out. */
function usableOf(query: object): ImageQuery {
  const read = readQuery(query);
  if ('value' in read) return read.value as ImageQuery;
  const bad = new Set(read.error.details.errors?.map(one => one.param));
  const good = readQuery(Object.fromEntries(Object.entries(query).filter(([name]) => !bad.has(name))));
  return 'value' in good ? (good.value as ImageQuery) : {};
}

/** In the usual size where the code does not fit into the size that was asked for. */
const fitting = (image: Image): Image =>
  fits(image.shortUrl, image.sizePx) ? image : { ...image, sizePx: usualSizePx };

function answer(
  image: Image,
  headers: Record<string, string>,
  content: () => Promise<Uint8Array>,
): FileAnswer {
  return {
    etag: etagOf(image),
    type: contentTypes[image.format],
    // An SVG opened by itself is a page: it may run nothing and load nothing.
    headers:
      image.format === 'svg'
        ? { ...headers, 'content-security-policy': "default-src 'none'; sandbox" }
        : headers,
    content,
  };
}
