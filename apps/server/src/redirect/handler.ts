import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressBlock, type ClientAddress } from '../kernel/client-address.ts';
import type { SlidingWindows } from '../kernel/sliding-windows.ts';
import { decide, type PageKind, shortCodeOf } from './decide.ts';
import type { Link } from './link.ts';
import type { Links } from './links.ts';
import { pages, prefersJson } from './pages.ts';

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
  readonly recorder: ScanRecorder;
  readonly clientAddress: ClientAddress;
  /** Codes that one address asked for in vain. */
  readonly misses: SlidingWindows;
  readonly missesPerMinute: number;
  readonly onPage: (page: PageKind) => void;
  readonly onFault: (error: unknown) => void;
};

export function createRedirectHandler(parts: Parts): RedirectHandler {
  const { links, recorder, clientAddress, misses, missesPerMinute, onPage, onFault } = parts;

  function show(kind: PageKind, request: IncomingMessage, response: ServerResponse): void {
    onPage(kind);
    const page = pages[kind];
    const json = prefersJson(request.headers.accept);
    const body = json ? page.json : page.html;
    response.writeHead(page.status, {
      'content-type': json ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'content-security-policy': page.policy,
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      vary: 'accept',
      ...(page.status === 429 ? { 'retry-after': '60' } : page.status === 503 ? { 'retry-after': '2' } : {}),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  function sendOn(link: Link, response: ServerResponse): void {
    const headers = [
      'Location',
      link.location,
      'Cache-Control',
      'private, no-store',
      'X-Robots-Tag',
      'noindex',
      'Content-Length',
      '0',
    ];
    if (link.mode === 'test') headers.push('X-Signpost-Mode', 'test');
    response.writeHead(302, headers);
    response.end();
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    shortCode: string,
  ): Promise<void> {
    const address = clientAddress(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for']);
    const block = addressBlock(address);
    let found = links.recall(shortCode);
    if (found === undefined) {
      const isGuessing = !misses.look(block, missesPerMinute).allowed;
      found = await links.look(shortCode, { block, isGuessing });
    }
    if (found === 'busy') return show('busy', request, response);
    if (found === 'away') return show('unavailable', request, response);
    const decision = decide(found === 'none' ? null : found.link);
    if (decision.kind === 'page') {
      // Only what turns out to be unknown is limited: an active code redirects for everybody, always.
      const isLimited = decision.page === 'unknown' && !misses.take(block, missesPerMinute).allowed;
      return show(isLimited ? 'busy' : decision.page, request, response);
    }
    const kept = recorder.record(decision.link, {
      method: request.method!,
      headers: request.headers,
      address,
    });
    if (kept) await kept;
    sendOn(decision.link, response);
  }

  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD', 'content-length': 0 }).end();
      return;
    }
    const shortCode = shortCodeOf(request.url ?? '');
    if (shortCode === null) {
      show('unknown', request, response);
      return;
    }
    answer(request, response, shortCode).catch(error => {
      onFault(error);
      if (!response.headersSent) show('unavailable', request, response);
    });
  };
}
