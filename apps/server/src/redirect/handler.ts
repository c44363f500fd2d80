import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseLanguage } from '../http/language.ts';
import { addressBlock, type ClientAddress } from '../kernel/client-address.ts';
import { linkKeyIn } from '../kernel/link-key.ts';
import type { RequestIds } from '../kernel/request-ids.ts';
import type { SlidingWindows } from '../limits/sliding-windows.ts';
import { decide, type PageKind } from './decide.ts';
import type { Link } from './link.ts';
import type { Links } from './links.ts';
import { fillIn, type Pages, prefersJson } from './pages.ts';
import { type Previews, previewKeyIn } from './preview.ts';
import type { ResponseTimes } from './response-times.ts';
import type { Stops } from './stops.ts';

/** Answers short links on plain node:http: a scan waits only for what it needs. */
export type RedirectHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Records the scan; null where the request is not a scan. Resolves when the scan is durable, and never rejects. */
export type ScanRecorder = { record(link: Link, request: ScanRequest): Promise<unknown> | null };

type ScanRequest = {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly address: string;
};

export type Parts = {
  readonly links: Links;
  readonly stops: Pick<Stops, 'reasonFor'>;
  readonly recorder: ScanRecorder;
  readonly clientAddress: ClientAddress;
  /** Requests for codes that do not exist, by address block. */
  readonly unknownCodes: SlidingWindows;
  readonly unknownCodesPerMinute: number;
  readonly previews: Previews;
  readonly onPage: (page: PageKind | 'preview') => void;
  readonly onError: (error: unknown, requestId: string) => void;
  readonly times: Pick<ResponseTimes, 'now' | 'record'>;
  readonly pages: Pages;
  readonly nextRequestId: RequestIds;
};

export function createRedirectHandler(parts: Parts): RedirectHandler {
  const { links, stops, recorder, clientAddress, unknownCodes, unknownCodesPerMinute, onPage, onError } =
    parts;
  const { pages, previews, nextRequestId, times } = parts;

  function show(
    kind: keyof Pages,
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    arrivedUs: number,
  ): void {
    if (kind !== 'not_allowed') onPage(kind);
    const page = pages[kind];
    const { accept, 'accept-language': acceptLanguage } = request.headers;
    const body = prefersJson(accept) ? page.json : page.html[chooseLanguage(acceptLanguage)];
    response.writeHead(page.status, { ...body.headers, 'x-request-id': id, ...extraHeaders[page.status] });
    times.record(page.status, arrivedUs);
    response.end(request.method === 'HEAD' ? undefined : fillIn(body, id));
  }

  function redirect(link: Link, response: ServerResponse, id: string, arrivedUs: number): void {
    const headers = [
      'Location',
      link.location,
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
  async function showPreview(
    link: Link,
    block: string,
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    arrivedUs: number,
  ): Promise<void> {
    const preview = await previews.lookUp(link, block);
    if (preview === 'busy') return show('busy', request, response, id, arrivedUs);
    if (preview === 'away') return show('unavailable', request, response, id, arrivedUs);
    if (preview === 'none') return show('unknown', request, response, id, arrivedUs);
    onPage('preview');
    const { headers, body } = previews.present(preview, request.headers);
    response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body), 'x-request-id': id });
    times.record(200, arrivedUs);
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    id: string,
    isPreview: boolean,
    arrivedUs: number,
  ): Promise<void> {
    const address = clientAddress(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for']);
    const block = addressBlock(address);
    if (isPreview && !previews.take(block)) return show('busy', request, response, id, arrivedUs);
    let found = links.getCached(key);
    if (found === undefined) {
      const isGuessing = !unknownCodes.look(block, unknownCodesPerMinute).allowed;
      found = await links.lookUp(key, { block, isGuessing });
    }
    if (found === 'busy') return show('busy', request, response, id, arrivedUs);
    if (found === 'away') return show('unavailable', request, response, id, arrivedUs);
    const decision = found === 'none' ? decide(null, null) : decide(found.link, stops.reasonFor(found.link));
    if (decision.kind === 'page') {
      // Only unknown codes are limited: an active code always redirects.
      const isLimited =
        decision.page === 'unknown' && !unknownCodes.take(block, unknownCodesPerMinute).allowed;
      return show(isLimited ? 'busy' : decision.page, request, response, id, arrivedUs);
    }
    if (isPreview) return showPreview(decision.link, block, request, response, id, arrivedUs);
    const recorded = recorder.record(decision.link, {
      method: request.method!,
      headers: request.headers,
      address,
    });
    if (recorded) {
      await recorded;
      // A stop may have been confirmed while the scan was recorded: from then on no process may redirect.
      const current = decide(decision.link, stops.reasonFor(decision.link));
      if (current.kind === 'page') return show(current.page, request, response, id, arrivedUs);
    }
    redirect(decision.link, response, id, arrivedUs);
  }

  return (request, response) => {
    const arrivedUs = times.now();
    const id = nextRequestId();
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      show('not_allowed', request, response, id, arrivedUs);
      return;
    }
    const key = linkKeyIn(request.url ?? '');
    const previewed = key === null ? previewKeyIn(request.url ?? '') : null;
    const requested = key ?? previewed;
    if (requested === null) {
      show('unknown', request, response, id, arrivedUs);
      return;
    }
    answer(request, response, requested, id, previewed !== null, arrivedUs).catch(error => {
      onError(error, id);
      if (!response.headersSent) show('unavailable', request, response, id, arrivedUs);
    });
  };
}

/** Additional headers by status. */
const extraHeaders: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  405: { allow: 'GET, HEAD' },
  429: { 'retry-after': '60' },
  503: { 'retry-after': '2' },
};
