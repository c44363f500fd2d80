import { type ImageQuery, ImageQuery as ImageQuerySchema, operations } from '@signpost/contract';
import { fits, type Style } from '@signpost/qr';
import type { FastifyRequest } from 'fastify';
import type { StoredLogo } from '../designs/assets/asset.ts';
import type { App } from '../http/app.ts';
import { type FileAnswer, sendFile } from '../http/files/files.ts';
import type { Routes } from '../http/routes.ts';
import { compileQueryValidator } from '../http/validation/validation.ts';
import { addressBlock, type ClientAddress } from '../kernel/addresses/client-address.ts';
import type { LinkName } from '../kernel/addresses/link-key.ts';
import type { LinkNames } from '../kernel/addresses/link-names.ts';
import type { Caller } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { parseId, type Uuid } from '../kernel/ids.ts';
import type { WeightedWindows } from '../limits/weighted-windows.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { warnOfUsual } from './compact-warning.ts';
import type { Downloads } from './download.ts';
import { computeEtag, contentTypes, type Image, isLarge } from './image.ts';
import type { Renderer } from './renderer.ts';

/** Where images find their codes. */
type CodeSource = {
  /** The code of the caller that a path names; throws where there is none. */
  find(
    on: Database,
    caller: Caller,
    id: string,
  ): Promise<Drawable & { readonly placements: readonly { readonly key: string }[] }>;
  /** A code of any account, deleted or not. */
  findAny(on: Database, id: Uuid): Promise<(Drawable & { readonly deleted: boolean }) | null>;
};

const defaultSizePx = 512;

type Drawable = LinkName & { readonly style: Style };

/** Finds the picture of a style's logo; undefined for a style without one. */
export type FindLogo = (db: Database, style: Style) => Promise<StoredLogo | undefined>;

type Parts = {
  /** For the public image, which is not an operation of the API. */
  readonly db: Database;
  readonly codes: CodeSource;
  readonly renderer: Renderer;
  readonly findLogo: FindLogo;
  readonly downloads: Downloads;
  readonly linkNames: LinkNames;
  readonly clientAddress: ClientAddress;
  /** Public images drawn, by address. In memory: no address leaves the process. */
  readonly publicRenders: WeightedWindows;
  readonly publicImagesPerMinute: number;
};

/** The download, for the owner, and the public image, for pages and mails that embed it. */
export function addImageRoutes(app: App, routes: Routes, parts: Parts): void {
  const { db, codes, renderer, findLogo, downloads, linkNames } = parts;
  const { clientAddress, publicRenders, publicImagesPerMinute } = parts;
  const toImage = (
    { style, ...name }: Drawable,
    { format = 'png', size = defaultSizePx }: ImageQuery,
  ): Image => ({
    shortUrl: linkNames.toUrl(name),
    style,
    format,
    sizePx: size,
  });

  routes.addFile(operations.downloadQrCode, async ({ db: on, caller, params, query }) => {
    const code = await codes.find(on, caller, params.id);
    const image = await downloads.toImage(on, caller, code, query);
    const headers = {
      'cache-control': 'private, max-age=3600',
      vary: 'Authorization',
      'content-disposition': `attachment; filename="${toFileName(code, query.placement)}.${image.format}"`,
      ...warnOfUsual([image]),
    };
    const { accountId } = caller;
    return fileAnswer(image, headers, signal => renderer.render(image, { kind: 'owner', accountId, signal }));
  });

  app.get('/images/:id/public', { config: { authScheme: 'open' } }, async (request, reply) => {
    const { id } = request.params as { id: string };
    const uuid = parseId('qr', id);
    const code = uuid && (await codes.findAny(db, uuid));
    if (!code) throw new AppError('not_found', 'No QR code has this id.');
    if (code.deleted) throw new AppError('gone', 'This QR code was deleted.');
    const wanted = fitting(toImage(code, readValidQuery(request.query as object)));
    const image = { ...wanted, logo: await findLogo(db, code.style) };
    const headers = {
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      'cross-origin-resource-policy': 'cross-origin',
    };
    const network = getNetwork(request);
    const requester = { kind: 'public', network, count: () => countRender(network, image) } as const;
    return sendFile(
      request,
      reply,
      fileAnswer(image, headers, signal => renderer.render(image, { ...requester, signal })),
    );
  });

  const getNetwork = ({ socket, headers }: FastifyRequest) =>
    addressBlock(clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for']));

  /** Only images that have to be drawn count: those in memory cost nothing and are always served. */
  function countRender(network: string, image: Image): void {
    const weight = Math.min(isLarge(image) ? 4 : 1, publicImagesPerMinute);
    const decision = publicRenders.take(network, publicImagesPerMinute, weight);
    if (decision.allowed) return;
    const retryAfterSeconds = Math.ceil(decision.waitMs / 1000);
    throw new AppError(
      'rate_limit_exceeded',
      `Your address has requested more than ${publicImagesPerMinute} new images in a minute. Wait ${retryAfterSeconds} s and try again. Images that were drawn before are still served.`,
      { retryAfterSeconds },
    );
  }
}

const toFileName = ({ shortCode }: LinkName, placement: string | undefined) =>
  placement === undefined ? shortCode : `${shortCode}-${placement.toLowerCase()}`;

const readQuery = compileQueryValidator(ImageQuerySchema);

/** Pages and mails may append their own query parameters to the public image's URL: invalid ones are ignored. */
function readValidQuery(query: object): ImageQuery {
  const read = readQuery(query);
  if ('value' in read) return read.value as ImageQuery;
  const invalid = new Set(read.error.details.errors?.map(error => error.param));
  const rest = readQuery(Object.fromEntries(Object.entries(query).filter(([name]) => !invalid.has(name))));
  return 'value' in rest ? (rest.value as ImageQuery) : {};
}

/** In the default size where the code does not fit into the requested one. */
const fitting = (image: Image): Image =>
  fits(image.shortUrl, image.sizePx, image.style) ? image : { ...image, sizePx: defaultSizePx };

function fileAnswer(
  image: Image,
  headers: Record<string, string>,
  content: FileAnswer['content'],
): FileAnswer {
  // A logo that is no SVG is a picture inside of the file.
  const pictures = image.logo ? ' img-src data:;' : '';
  return {
    etag: computeEtag(image),
    type: contentTypes[image.format],
    // An SVG opened on its own is a page: it must not run scripts or load anything.
    headers:
      image.format === 'svg'
        ? { ...headers, 'content-security-policy': `default-src 'none';${pictures} sandbox` }
        : headers,
    content,
  };
}
