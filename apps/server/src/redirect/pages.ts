import { hash } from 'node:crypto';
import { type ErrorCode, errorTable } from '@signpost/contract';
import { AppError } from '../kernel/errors.ts';
import { requestIdLength } from '../kernel/request-ids.ts';
import type { PageKind } from './decide.ts';

/** What a scanner is shown who cannot be sent on. But for the request id, which is ours, the same bytes for everybody. */
export type Page = {
  readonly status: number;
  readonly html: Body;
  readonly json: Body;
  readonly policy: string;
};

/** Made once, at the start; only the request id is put between. */
type Body = { readonly before: string; readonly after: string; readonly bytes: number };

export type Pages = Readonly<Record<PageKind | 'not_allowed', Page>>;

/** How an error is shown on the wire, by whoever shows all of them. */
export type PresentError = (error: AppError, requestId: string) => object;

type Words = {
  readonly code: ErrorCode;
  readonly title: string;
  readonly text: string;
};

const words: Readonly<Record<keyof Pages, Words>> = {
  paused: {
    code: 'not_found',
    title: 'This code is taking a break',
    text: 'Its owner has paused it. Try again later, or ask where you found it.',
  },
  stopped: {
    code: 'not_found',
    title: 'This code was stopped for safety',
    text: 'It may have led to a harmful page. If you entered a password there, change it now. If you entered card details, call your bank.',
  },
  held: {
    code: 'not_found',
    title: 'This code is not confirmed yet',
    text: 'Its owner has to confirm an e-mail address first. Try again later.',
  },
  unknown: {
    code: 'not_found',
    title: 'This code leads nowhere',
    text: 'There is no such code. If you typed it, check it letter by letter.',
  },
  deleted: {
    code: 'gone',
    title: 'This code is no longer in use',
    text: 'Its owner has taken it down for good.',
  },
  busy: {
    code: 'rate_limit_exceeded',
    title: 'One moment, please',
    text: 'Too many codes were looked up from your network. Wait a minute and scan again.',
  },
  unavailable: {
    code: 'unavailable',
    title: 'One moment, please',
    text: 'We cannot look this code up right now. Scan it again in a few seconds.',
  },
  not_allowed: {
    code: 'method_not_allowed',
    title: 'Short links are for reading',
    text: 'They take GET and HEAD. To change where one leads, use the API or the dashboard.',
  },
};

const style = `:root{color-scheme:light dark;--ink:#14201b;--soft:#5b6a63;--paper:#fbfaf7;--sign:#0b6b4a}
@media(prefers-color-scheme:dark){:root{--ink:#eef3f0;--soft:#a3b1aa;--paper:#101613;--sign:#4cc393}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:2rem;background:var(--paper);
color:var(--ink);font:1.125rem/1.55 system-ui,sans-serif;text-align:center}
main{max-width:24rem}
svg{width:5.5rem;height:5.5rem;color:var(--sign)}
h1{font-size:1.6rem;line-height:1.2;letter-spacing:-.01em;margin:1.25rem 0 .5rem;text-wrap:balance}
p{margin:0;color:var(--soft);text-wrap:pretty}
small{display:block;margin-top:2rem;color:var(--soft);font-size:.75rem}`;

const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Stands where the request id will. No page has it otherwise. */
const place = '?'.repeat(requestIdLength);

export const createPages = (present: PresentError): Pages =>
  Object.fromEntries(
    Object.entries(words).map(([kind, { code, title, text }]): [string, Page] => [
      kind,
      {
        status: errorTable[code].status,
        html: bodyOf(htmlOf(title, text)),
        json: bodyOf(JSON.stringify(present(new AppError(code, `${title}. ${text}`), place))),
        policy,
      },
    ]),
  ) as Pages;

function bodyOf(text: string): Body {
  const [before = '', after = ''] = text.split(place);
  return { before, after, bytes: Buffer.byteLength(before + after) + requestIdLength };
}

function htmlOf(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
<main>
<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="M4.6 3h11.2a1 1 0 0 1 .75.34L20 7.2l-3.45 3.86a1 1 0 0 1-.75.34H4.6A1.1 1.1 0 0 1 3.5 10.3V4.1A1.1 1.1 0 0 1 4.6 3z"/><path d="M9 12.8h2.6v8.7H9z" opacity=".55"/></svg>
<h1>${title}</h1>
<p>${text}</p>
<small>Reference: ${place}</small>
</main>
`;
}

/** Whether the caller would rather have JSON: it asks for it and not, or less, for a page. */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return weightOf(accept, 'application/json') > weightOf(accept, 'text/html');
}

/** What an Accept header gives to a type: its own entry counts before `type/*`, and that before everything. */
function weightOf(accept: string, type: string): number {
  const group = `${type.split('/')[0]}/*`;
  let best = { rank: 0, weight: 0 };
  for (const entry of accept.toLowerCase().split(',', 20)) {
    const [name, ...parameters] = entry.split(';').map(part => part.trim());
    const rank = name === type ? 3 : name === group ? 2 : name === '*/*' ? 1 : 0;
    const quality = parameters.find(parameter => parameter.startsWith('q='))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality);
    if (rank > best.rank && weight >= 0) best = { rank, weight };
  }
  return best.weight;
}
