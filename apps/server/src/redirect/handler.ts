import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseLanguage } from '../http/pages/language.ts';
import { addressBlock, type ClientAddress } from '../kernel/addresses/client-address.ts';
import { parseLinkPath, parsePlacedLink } from '../kernel/addresses/link-key.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RequestIds } from '../kernel/request-ids.ts';
import type { SlidingWindows } from '../limits/sliding-windows.ts';
import type { LinkRules, Route } from '../rules/link-rules.ts';
import type { Scanner } from '../rules/rule.ts';
import { chooseStopPage, type Decision, decide, type PageKind } from './decide.ts';
import type { Link } from './links/link.ts';
import type { Found, Links } from './links/links.ts';
import type { Stops } from './links/stops.ts';
import { fillIn, type Pages, prefersJson } from './pages.ts';
import { type Previews, parsePreviewKey } from './preview.ts';
import type { ResponseTimes } from './response-times.ts';

/** Answers short links on plain node:http: a scan waits only for what it needs. */
export type RedirectHandler = (request: IncomingMessage, response: ServerResponse) => void;

export type ScanRecorder<OfRequest extends Scanner = Scanner> = {
  /** Records the scan and calls back once it is durable, or lost and reported. False: the request is not a scan. */
  record(link: Link, request: ScanRequest, onRecorded: () => void): boolean;
  /** Whoever sends a request, for the rules of a link. */
  createScanner(request: RoutedRequest): OfRequest;
  /** Records the scan of a link with rules, and where it led to. */
  recordRouted(scanner: OfRequest, route: Route, onRecorded: () => void): boolean;
};

type ScanRequest = {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly address: string;
};

/** With what rules may look at besides. */
type RoutedRequest = ScanRequest & {
  readonly link: Link;
  readonly atMs: number;
  readonly query: string;
  readonly placement: string;
};

/** A request and its response. */
type Exchange = {
  /** The placement that the link names, if it has the form of one. */
  readonly placement: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly arrivedUs: number;
};

export type Parts = {
  readonly links: Links;
  readonly stops: Pick<Stops, 'reasonFor'>;
  readonly recorder: ScanRecorder;
  readonly clock: Clock;
  readonly clientAddress: ClientAddress;
  /** Requests for codes that do not exist, by address block. */
  readonly unknownCodes: SlidingWindows;
  readonly unknownCodesPerMinute: number;
  readonly previews: Previews;
  readonly onPage: (page: PageKind | 'preview') => void;
  /** A code that exists got a page instead of a redirect. */
  readonly onNotRedirected: (link: Link, request: IncomingMessage, nowMs: number) => void;
  readonly onError: (error: unknown, requestId: string) => void;
  readonly times: Pick<ResponseTimes, 'now' | 'record'>;
  readonly pages: Pages;
  readonly nextRequestId: RequestIds;
};

export function createRedirectHandler(parts: Parts): RedirectHandler {
  const { links, stops, recorder, clientAddress, unknownCodes, unknownCodesPerMinute, onPage, onError } =
    parts;
  const { onNotRedirected, pages, previews, nextRequestId, times, clock } = parts;

  function show(kind: keyof Pages, { request, response, id, arrivedUs }: Exchange): void {
    if (kind !== 'not_allowed') onPage(kind);
    const page = pages[kind];
    const { accept, 'accept-language': acceptLanguage } = request.headers;
    const body = prefersJson(accept) ? page.json : page.html[chooseLanguage(acceptLanguage)];
    response.writeHead(page.status, { ...body.headers, 'x-request-id': id, ...extraHeaders[page.status] });
    times.record(page.status, arrivedUs);
    response.end(request.method === 'HEAD' ? undefined : fillIn(body, id));
  }

  function redirect(link: Link, location: string, { response, id, arrivedUs }: Exchange): void {
    const headers = [
      'Location',
      location,
      'Cache-Control',
      'private, no-store',
      'X-Robots-Tag',
      'noindex',
      'X-Request-Id',
      id,
      'Content-Length',
      '0',
    ];
    if (link.mode === 'test') headers.push('X-Signpost-Mode', 'test');
    response.writeHead(302, headers);
    times.record(302, arrivedUs);
    response.end();
  }

  /** For a code that would redirect a scanner. */
  async function showPreview(link: Link, block: string, exchange: Exchange): Promise<void> {
    const { request, response, id, arrivedUs } = exchange;
    const preview = await previews.lookUp(link, block);
    if (preview === 'busy') return show('busy', exchange);
    if (preview === 'away') return show('unavailable', exchange);
    if (preview === 'none') return show('unknown', exchange);
    onPage('preview');
    const { headers, body } = previews.present(
      preview,
      parsePreviewKey(request.url ?? '') ?? '',
      request.headers,
    );
    response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body), 'x-request-id': id });
    times.record(200, arrivedUs);
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  function answer(exchange: Exchange, key: string, isPreview: boolean): void {
    const { request } = exchange;
    const address = clientAddress(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for']);
    if (isPreview && !previews.take(addressBlock(address))) {
      show('busy', exchange);
      return;
    }
    const cached = links.getCached(key);
    if (cached === undefined) lookUp(exchange, key, address, isPreview);
    else answerWith(cached, exchange, address, isPreview);
  }

  function lookUp(exchange: Exchange, key: string, address: string, isPreview: boolean): void {
    const block = addressBlock(address);
    const isGuessing = !unknownCodes.look(block, unknownCodesPerMinute).allowed;
    links.lookUp(key, { block, isGuessing }).then(
      found => attempt(exchange, () => answerWith(found, exchange, address, isPreview)),
      error => fail(exchange, error),
    );
  }

  function answerWith(found: Found, exchange: Exchange, address: string, isPreview: boolean): void {
    const nowMs = timeFor(found);
    const decision = decideFound(found, nowMs);
    if (decision.kind === 'fallback' && typeof found === 'object' && !isPreview) {
      onNotRedirected(found.link, exchange.request, nowMs);
      redirect(found.link, decision.location, exchange);
    } else if (decision.kind !== 'redirect') {
      if (typeof found === 'object' && !isPreview) onNotRedirected(found.link, exchange.request, nowMs);
      // Only unknown codes are limited: an active code always redirects.
      const isLimited =
        decision.page === 'unknown' &&
        !unknownCodes.take(addressBlock(address), unknownCodesPerMinute).allowed;
      show(isLimited ? 'busy' : decision.page, exchange);
    } else if (isPreview) {
      showPreview(decision.link, addressBlock(address), exchange).catch(error => fail(exchange, error));
    } else if (decision.link.routing === null) {
      recordAndRedirect(decision.link, exchange, address);
    } else {
      routeAndRedirect(decision.link, decision.link.routing, exchange, address, nowMs);
    }
  }

  /** A link without routing does not ask for the time. */
  const timeFor = (found: Found): number =>
    typeof found === 'object' && found.link.routing !== null ? clock.now().getTime() : 0;

  function decideFound(found: Found, nowMs: number): Decision {
    if (found === 'busy') return { kind: 'page', page: 'busy' };
    if (found === 'away') return { kind: 'page', page: 'unavailable' };
    return found === 'none' ? decide(null, null, 0) : decide(found.link, stops.reasonFor(found.link), nowMs);
  }

  function recordAndRedirect(link: Link, exchange: Exchange, address: string): void {
    const { method = '', headers } = exchange.request;
    const isScan = recorder.record(link, { method, headers, address }, () =>
      attempt(exchange, () => redirectUnlessStopped(link, link.location, exchange)),
    );
    if (!isScan) redirect(link, link.location, exchange);
  }

  /** By the rules of the link. Requests that are no scans are redirected by the same rules. */
  function routeAndRedirect(
    link: Link,
    routing: LinkRules,
    exchange: Exchange,
    address: string,
    nowMs: number,
  ): void {
    const { method = '', headers, url = '' } = exchange.request;
    const query = extractQuery(url);
    const placement = exchange.placement === '' ? '' : routing.findPlacement(exchange.placement);
    const scanner = recorder.createScanner({ link, method, headers, address, atMs: nowMs, query, placement });
    const route = routing.chooseRoute(link, scanner, query);
    const isScan = recorder.recordRouted(scanner, route, () =>
      attempt(exchange, () => redirectUnlessStopped(link, route.location, exchange)),
    );
    if (!isScan) redirect(link, route.location, exchange);
  }

  /** A stop may have been confirmed while the scan was recorded: from then on no process may redirect. */
  function redirectUnlessStopped(link: Link, location: string, exchange: Exchange): void {
    const page = chooseStopPage(link, stops.reasonFor(link));
    if (page === null) redirect(link, location, exchange);
    else show(page, exchange);
  }

  function attempt(exchange: Exchange, act: () => void): void {
    try {
      act();
    } catch (error) {
      fail(exchange, error);
    }
  }

  function fail(exchange: Exchange, error: unknown): void {
    onError(error, exchange.id);
    if (!exchange.response.headersSent) show('unavailable', exchange);
  }

  return (request, response) => {
    const url = request.url ?? '';
    const key = parseLinkPath(url);
    // No short code has a dot, so most links are not read a second time.
    const placed = key === null ? parsePlacedLink(url) : null;
    const placement = placed?.placement ?? '';
    const exchange = { placement, request, response, id: nextRequestId(), arrivedUs: times.now() };
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      show('not_allowed', exchange);
      return;
    }
    const plain = key ?? placed?.key ?? null;
    const previewed = plain === null ? parsePreviewKey(url) : null;
    const requested = plain ?? previewed;
    if (requested === null) show('unknown', exchange);
    else attempt(exchange, () => answer(exchange, requested, previewed !== null));
  };
}

function extractQuery(url: string): string {
  const start = url.indexOf('?');
  if (start < 0) return '';
  const end = url.indexOf('#', start);
  return url.slice(start + 1, end < 0 ? undefined : end);
}

/** Additional headers by status. */
const extraHeaders: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  405: { allow: 'GET, HEAD' },
  429: { 'retry-after': '60' },
  503: { 'retry-after': '2' },
};
