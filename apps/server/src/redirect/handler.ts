import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { chooseLanguage } from '../http/pages/language.ts';
import { addressBlock, type ClientAddress } from '../kernel/addresses/client-address.ts';
import {
  isWellKnownFile,
  parseLinkPath,
  parsePlacedLink,
  toDomainKey,
} from '../kernel/addresses/link-key.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RequestIds } from '../kernel/request-ids.ts';
import type { SlidingWindows } from '../limits/sliding-windows.ts';
import type { LinkRules, Route } from '../rules/link-rules.ts';
import type { Scanner } from '../rules/rule.ts';
import { chooseStopPage, type Decision, decide, type PageKind } from './decide.ts';
import type { Hosts, RequestedHost } from './hosts.ts';
import type { DomainTarget, MappedDomain } from './links/domain-map.ts';
import type { Link } from './links/link.ts';
import type { Found, Links } from './links/links.ts';
import type { Stops } from './links/stops.ts';
import { fillIn, type Pages, prefersJson } from './pages.ts';
import { type Previews, parsePreviewKey } from './preview.ts';
import type { ResponseTimes } from './response-times.ts';

/**
 * Answers short links on plain node:http: a scan waits only for what it needs. What else the service has at the requested
 * path is answered by `others`, but never on a domain of an account.
 */
export type RedirectHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  others?: RequestListener,
) => void;

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
  /** The domain that is asked; null for the service. */
  readonly domain: MappedDomain | null;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly arrivedUs: number;
};

export type Parts = {
  readonly links: Links;
  readonly stops: Pick<Stops, 'reasonFor' | 'domains'>;
  readonly hosts: Hosts;
  /** What a host gets that is neither the service's nor a domain. */
  readonly unknownHosts: 'default' | 'refuse';
  /** A request for a host that nobody has named. */
  readonly onUnknownHost: (header: string | undefined) => void;
  /** What is done with a domain as it was known last, where PostgreSQL does not answer. */
  readonly staleLinks: 'serve' | 'refuse';
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
  const { onNotRedirected, pages, previews, nextRequestId, times, clock, hosts } = parts;
  const refusesUnknown = parts.unknownHosts === 'refuse';

  function show(
    kind: keyof Pages,
    { request, response, id, arrivedUs }: Exchange,
    status = pages[kind].status,
  ): void {
    if (kind !== 'not_allowed') onPage(kind);
    const page = pages[kind];
    const { accept, 'accept-language': acceptLanguage } = request.headers;
    const body = prefersJson(accept) ? page.json : page.html[chooseLanguage(acceptLanguage)];
    response.writeHead(status, { ...body.headers, 'x-request-id': id, ...extraHeaders[status] });
    times.record(status, arrivedUs);
    response.end(request.method === 'HEAD' ? undefined : fillIn(body, id));
  }

  const redirect = (link: Link, location: string, exchange: Exchange): void =>
    sendTo(location, exchange, link.mode === 'test');

  function sendTo(location: string, { response, id, arrivedUs }: Exchange, isTest = false): void {
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
    if (isTest) headers.push('X-Signpost-Mode', 'test');
    response.writeHead(302, headers);
    times.record(302, arrivedUs);
    response.end();
  }

  /** The domain that is asked, as it is now: it may have changed while the request waited. Null for the service. */
  function getDomain({ domain }: Exchange): MappedDomain | 'released' | null {
    if (domain === null) return null;
    const current = stops.domains.find(domain.host);
    return current?.isActive === true ? current : 'released';
  }

  /** A request that names no code: the bare host of a domain leads where its owner has set. */
  function answerWithoutCode(exchange: Exchange): void {
    const { domain } = exchange;
    const isRoot = domain !== null && /^\/?(?:[?#]|$)/.test(exchange.request.url ?? '');
    if (isRoot) sendToTarget(domain, domain.root, 'home', exchange);
    else showUnknown(exchange, domain);
  }

  function showUnknown(exchange: Exchange, domain: MappedDomain | null): void {
    const target = isWellKnownFile(exchange.request.url ?? '') ? null : (domain?.notFound ?? null);
    sendToTarget(domain, target, 'unknown', exchange);
  }

  /** A target that is stopped counts as none. */
  function sendToTarget(
    domain: MappedDomain | null,
    target: DomainTarget | null,
    page: PageKind,
    exchange: Exchange,
  ): void {
    if (domain && target && stops.reasonFor({ accountId: domain.accountId, host: target.host }) === null)
      sendTo(target.location, exchange);
    else show(page, exchange);
  }

  /** For a code that would redirect a scanner. */
  async function showPreview(link: Link, block: string, exchange: Exchange): Promise<void> {
    const { request, response, id, arrivedUs } = exchange;
    const preview = await previews.lookUp(link, block);
    if (preview === 'busy') return show('busy', exchange);
    if (preview === 'away') return show('unavailable', exchange);
    if (preview === 'none') return show('unknown', exchange);
    onPage('preview');
    const name = parsePreviewKey(request.url ?? '') ?? '';
    const { headers, body } = previews.present(
      preview,
      exchange.domain ? `${exchange.domain.host}/${name}` : name,
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
    const domain = getDomain(exchange);
    if (domain === 'released') {
      show('not_connected', exchange);
      return;
    }
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
      if (isLimited) show('busy', exchange);
      else if (decision.page === 'unknown') showUnknown(exchange, domain);
      else show(decision.page, exchange);
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

  /** A stop or a release may have been confirmed while the scan was recorded: from then on no process may redirect. */
  function redirectUnlessStopped(link: Link, location: string, exchange: Exchange): void {
    const isReleased = getDomain(exchange) === 'released';
    const page = isReleased ? 'not_connected' : chooseStopPage(link, stops.reasonFor(link));
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

  const open = (
    request: IncomingMessage,
    response: ServerResponse,
    domain: MappedDomain | null,
    placement = '',
  ): Exchange => ({
    placement,
    domain,
    request,
    response,
    id: nextRequestId(),
    arrivedUs: times.now(),
  });

  /** Answers with a link of the service, or of a domain. */
  function begin(request: IncomingMessage, response: ServerResponse, host: RequestedHost): void {
    const url = request.url ?? '';
    const domain = typeof host === 'object' ? host : null;
    const key = parseLinkPath(url);
    // No short code has a dot, so most links are not read a second time.
    const placed = key === null ? parsePlacedLink(url) : null;
    const exchange = open(request, response, domain, placed?.placement);
    if (host === 'unknown' && refusesUnknown) {
      show('unknown', exchange, misdirected);
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      show('not_allowed', exchange);
      return;
    }
    if (domain?.isActive === false) {
      show('not_connected', exchange);
      return;
    }
    const plain = key ?? placed?.key ?? null;
    const previewed = plain === null ? parsePreviewKey(url) : null;
    const named = plain ?? previewed;
    const requested = domain && named !== null ? toDomainKey(domain.keySpace, named) : named;
    if (requested === null) attempt(exchange, () => answerWithoutCode(exchange));
    else attempt(exchange, () => answer(exchange, requested, previewed !== null));
  }

  /** Whether it may have more than short links. A load balancer asks for health by an address. */
  const hasMore = (host: RequestedHost, { url }: IncomingMessage): boolean =>
    host === 'ours' || (host === 'unknown' && (!refusesUnknown || url === '/healthz'));

  function answerHost(
    request: IncomingMessage,
    response: ServerResponse,
    host: RequestedHost,
    others: RequestListener | undefined,
  ): void {
    if (host === 'unknown') parts.onUnknownHost(request.headers.host);
    if (others && hasMore(host, request)) others(request, response);
    else begin(request, response, host);
  }

  return (request, response, others) => {
    const { host: header } = request.headers;
    const host = hosts.find(header);
    if (host === 'ours' || hosts.isCertain(header)) {
      answerHost(request, response, host, others);
      return;
    }
    void hosts.confirm().then(isConfirmed => {
      // What was known last is served, as links are.
      if (isConfirmed || parts.staleLinks === 'serve')
        answerHost(request, response, hosts.find(header), others);
      else show('unavailable', open(request, response, null));
    });
  };
}

/** 421: the host is not one that this service answers for. */
const misdirected = 421;

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
