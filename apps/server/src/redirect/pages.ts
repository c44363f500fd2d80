import { hash } from 'node:crypto';
import type { PageKind } from './decide.ts';

/** What a scanner is shown who cannot be sent on. The same bytes for everybody: nothing of the request is in it. */
export type Page = {
  readonly status: number;
  readonly html: string;
  readonly json: string;
  readonly policy: string;
};

type Words = {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly text: string;
};

const words: Readonly<Record<PageKind, Words>> = {
  paused: {
    status: 404,
    code: 'not_found',
    title: 'This code is taking a break',
    text: 'Its owner has paused it. Try again later, or ask where you found it.',
  },
  unknown: {
    status: 404,
    code: 'not_found',
    title: 'This code leads nowhere',
    text: 'There is no such code. If you typed it, check it letter by letter.',
  },
  deleted: {
    status: 410,
    code: 'gone',
    title: 'This code is no longer in use',
    text: 'Its owner has taken it down for good.',
  },
  busy: {
    status: 429,
    code: 'rate_limit_exceeded',
    title: 'One moment, please',
    text: 'Too many unknown codes came from your network. Wait a minute and scan again.',
  },
  unavailable: {
    status: 503,
    code: 'unavailable',
    title: 'One moment, please',
    text: 'We cannot look this code up right now. Scan it again in a few seconds.',
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
p{margin:0;color:var(--soft);text-wrap:pretty}`;

const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export const pages: Readonly<Record<PageKind, Page>> = Object.fromEntries(
  Object.entries(words).map(([kind, { status, code, title, text }]) => [
    kind,
    {
      status,
      html: htmlOf(title, text),
      json: JSON.stringify({ error: { code, message: `${title}. ${text}` } }),
      policy,
    },
  ]),
) as Record<PageKind, Page>;

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
