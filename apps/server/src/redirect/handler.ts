import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressBlock, type ClientAddress } from '../kernel/client-address.ts';
import { linkKeyIn } from '../kernel/link-key.ts';
import type { RequestIds } from '../kernel/request-ids.ts';
import type { SlidingWindows } from '../kernel/sliding-windows.ts';
import type { AnswerTimes } from './answer-times.ts';
import { decide, type PageKind } from './decide.ts';
import type { Link } from './link.ts';
import type { Links } from './links.ts';
import { type Pages, prefersJson } from './pages.ts';
import { type Previews, previewKeyIn } from './preview.ts';
import type { Stops } from './stops.ts';

/** Answers short links, on bare node:http: nothing here waits for what it does not need. */
export type RedirectHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Keeps the scan; null where the request is none. Resolves when the scan is safe, and never rejects. */
export type ScanRecorder = { record(link: Link, request: ScanRequest): Promise<unknown> | null };

export type ScanRequest = {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly address: string;
};

export type Parts = {
  readonly links: Links;
  readonly stops: Pick<Stops, 'of'>;
  readonly recorder: ScanRecorder;
  readonly clientAddress: ClientAddress;
  /** Codes that one address asked for in vain. */
  readonly misses: SlidingWindows;
  readonly missesPerMinute: number;
  readonly previews: Previews;
  readonly onPage: (page: PageKind | 'preview') => void;
  readonly onFault: (error: unknown, requestId: string) => void;
  readonly times: Pick<AnswerTimes, 'now' | 'count'>;
  readonly pages: Pages;
  readonly nextRequestId: RequestIds;
};

export function createRedirectHandler(parts: Parts): RedirectHandler {
  const { links, stops, recorder, clientAddress, misses, missesPerMinute, onPage, onFault } = parts;
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
    const json = prefersJson(request.headers.accept);
    const { before, after, bytes } = json ? page.json : page.html;
    response.writeHead(page.status, {
      'content-type': json ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
      'content-length': bytes,
      'x-request-id': id,
      'cache-control': 'no-store',
      'content-security-policy': page.policy,
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      vary: 'accept',
      ...moreHeaders[page.status],
    });
    times.count(page.status, arrivedUs);
    response.end(request.method === 'HEAD' ? undefined : before + id + after);
  }

  function sendOn(link: Link, response: ServerResponse, id: string, arrivedUs: number): void {
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
    times.count(302, arrivedUs);
    response.end();
  }

  /** Where a code leads that would send a scanner on. */
  async function showPreview(
    link: Link,
    block: string,
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    arrivedUs: number,
  ): Promise<void> {
    const preview = await previews.look(link, block);
    if (preview === 'busy') return show('busy', request, response, id, arrivedUs);
    if (preview === 'away') return show('unavailable', request, response, id, arrivedUs);
    if (preview === 'none') return show('unknown', request, response, id, arrivedUs);
    onPage('preview');
    const { headers, body } = previews.present(preview, request.headers.accept);
    const length = Buffer.byteLength(body);
    response.writeHead(200, { ...headers, 'content-length': length, 'x-request-id': id, vary: 'accept' });
    times.count(200, arrivedUs);
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
    let found = links.recall(key);
    if (found === undefined) {
      const isGuessing = !misses.look(block, missesPerMinute).allowed;
      found = await links.look(key, { block, isGuessing });
    }
    if (found === 'busy') return show('busy', request, response, id, arrivedUs);
    if (found === 'away') return show('unavailable', request, response, id, arrivedUs);
    const decision = found === 'none' ? decide(null, null) : decide(found.link, stops.of(found.link));
    if (decision.kind === 'page') {
      // Only what turns out to be unknown is limited: an active code redirects for everybody, always.
      const isLimited = decision.page === 'unknown' && !misses.take(block, missesPerMinute).allowed;
      return show(isLimited ? 'busy' : decision.page, request, response, id, arrivedUs);
    }
    if (isPreview) return showPreview(decision.link, block, request, response, id, arrivedUs);
    const kept = recorder.record(decision.link, {
      method: request.method!,
      headers: request.headers,
      address,
    });
    if (kept) {
      await kept;
      // What was stopped meanwhile was said to be stopped everywhere.
      const again = decide(decision.link, stops.of(decision.link));
      if (again.kind === 'page') return show(again.page, request, response, id, arrivedUs);
    }
    sendOn(decision.link, response, id, arrivedUs);
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
    const asked = key ?? previewed;
    if (asked === null) {
      show('unknown', request, response, id, arrivedUs);
      return;
    }
    answer(request, response, asked, id, previewed !== null, arrivedUs).catch(error => {
      onFault(error, id);
      if (!response.headersSent) show('unavailable', request, response, id, arrivedUs);
    });
  };
}

/** What goes with an answer of this status. */
const moreHeaders: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  405: { allow: 'GET, HEAD' },
  429: { 'retry-after': '60' },
  503: { 'retry-after': '2' },
};
