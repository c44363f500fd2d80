import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { App } from '../http/app.ts';
import { toAppError } from '../http/errors.ts';
import { addressBlock, type ClientAddress } from '../kernel/addresses/client-address.ts';
import type { Clock } from '../kernel/clock.ts';
import type { SlidingWindows } from '../limits/sliding-windows.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Attribution } from '../scans/geoip/attribution.ts';
import type { PageFigures, ReadFigures } from './figures.ts';
import { chartHeaders, type Refusal, refusalPage, sharedChart, sharedPage } from './page.ts';
import { hashToken, type OpenLink } from './share-link.ts';
import { findOpenLink, findPublic } from './store.ts';

type Parts = {
  readonly db: Database;
  readonly clock: Clock;
  readonly clientAddress: ClientAddress;
  /** Pages by address block. */
  readonly pages: SlidingWindows;
  readonly readFigures: ReadFigures;
  readonly attribution: Attribution | null;
};

const pagesPerMinute = 120;
/** Somebody who reloads, and the chart after its page, read what was read a moment ago. */
const cachedMs = 15_000;
const maxCached = 500;
const chartFile = '/chart.svg';

/** The page of a share link. Every path below `/s` that is none answers alike, after the same look-up. */
export function addSharePages(app: App, parts: Parts): void {
  const { db, clock, clientAddress, pages, readFigures, attribution } = parts;
  const cached = new LRUCache<string, Promise<PageFigures>>({ max: maxCached, ttl: cachedMs });
  // Nobody who hangs up stops what others may wait for; the queries have a time limit of their own.
  const never = new AbortController().signal;

  function read(link: OpenLink): Promise<PageFigures> {
    const found = cached.get(link.id);
    if (found) return found;
    const reading = readFigures(db, link, clock.now(), never);
    cached.set(link.id, reading);
    reading.catch(() => cached.delete(link.id));
    return reading;
  }

  async function show(request: FastifyRequest, reply: FastifyReply) {
    const address = clientAddress(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for']);
    const { allowed, retryAfterSeconds } = pages.take(addressBlock(address), pagesPerMinute);
    if (!allowed) return refuse(reply, 'limited', retryAfterSeconds);
    const path = (request.params as { readonly '*'?: string })['*'] ?? '';
    const isChart = path.endsWith(chartFile);
    const token = isChart ? path.slice(0, -chartFile.length) : path;
    const link = await findOpenLink(db, hashToken(token), clock.now());
    if (!link) return refuse(reply, 'gone');
    const figures = await read(link);
    if (isChart) return reply.headers(chartHeaders(figures)).send(sharedChart(link, figures));
    // As of now, unlike the figures: what is suspended is named to nobody.
    const named = await findPublic(
      db,
      figures.codes.map(({ qrCodeId }) => qrCodeId),
    );
    const codes = figures.codes.filter(({ qrCodeId }) => named.has(qrCodeId));
    const { html, headers } = sharedPage(
      link,
      { ...figures, codes },
      { chartHref: `${token}${chartFile}`, attribution },
    );
    return reply.headers(headers).send(html);
  }

  app.register(async scope => {
    scope.setErrorHandler((error, request, reply) => {
      const fault = toAppError(error);
      if (fault.code === 'period_not_retained') return refuse(reply, 'notRetained');
      if (fault.code !== 'rate_limit_exceeded')
        request.log.error({ err: fault.cause ?? fault, code: fault.code }, 'shared page failed');
      return refuse(reply, 'busy', fault.details.retryAfterSeconds ?? 60);
    });
    for (const url of ['/s', '/s/*']) scope.get(url, { config: { authScheme: 'open' } }, show);
  });
}

const statusOf: Readonly<Record<Refusal, number>> = { gone: 404, busy: 503, limited: 429, notRetained: 200 };

function refuse(reply: FastifyReply, refusal: Refusal, retryAfterSeconds?: number) {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  const { html, headers } = refusalPage(refusal);
  return reply.code(statusOf[refusal]).headers(headers).send(html);
}
