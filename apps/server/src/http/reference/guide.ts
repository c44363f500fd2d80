import { type ErrorCode, errorTable } from '@signpost/contract';
import { board, json, shell } from './code.ts';
import { type Html, html, inline } from './html.ts';

/** A chapter that is about all endpoints. */
export type Chapter = {
  readonly id: string;
  readonly title: string;
  readonly text: Html;
  readonly board?: Html;
};

export function chapters(baseUrl: string): readonly Chapter[] {
  return [authentication(baseUrl), modes(), rateLimits(), idempotency(baseUrl), pagination(baseUrl)];
}

function authentication(baseUrl: string): Chapter {
  return {
    id: 'authentication',
    title: 'Authentication',
    text: html`<p>Send your API key as a bearer token with every request. A key is shown once, when it is made; the service keeps only
a hash of it.</p>
<p>A request without a key, or with one that is malformed, unknown or revoked, is answered with 401
<a href="#error-unauthorized"><code>unauthorized</code></a>. All causes have the same answer. A revoked key fails from the moment the
revocation was answered.</p>
<p>An account may have several keys, so that a new one can be put in place before the old one is revoked. Keep keys on
your server: whoever holds one can change where your printed codes lead.</p>`,
    board: board(
      html`<b>With a key</b>`,
      shell(`curl ${baseUrl}/v1/qrcodes \\\n  -H "Authorization: Bearer $SIGNPOST_KEY"`),
    ),
  };
}

function modes(): Chapter {
  return {
    id: 'modes',
    title: 'Live and test mode',
    text: html`<p>The key decides the mode. Each mode is a world of its own: a key of one never sees codes, scans or counts of the
other, and an id of the other mode is answered as one that never was, with 404.</p>
<table><caption>Keys</caption><tbody>
<tr><th scope="row"><code>sk_live_…</code></th><td><p>Production. Codes count against the quota of your plan.</p></td></tr>
<tr><th scope="row"><code>sk_test_…</code></th><td><p>For development. Test codes redirect too, with the header
<code>X-Signpost-Mode: test</code>, so that the whole way can be tried. They count against no quota, but an account has room
for 10,000 of them, unless the operator has set another number. They have a rate of their own.</p></td></tr>
</tbody></table>`,
  };
}

function rateLimits(): Chapter {
  const headers: readonly (readonly [name: string, meaning: string])[] = [
    ['X-RateLimit-Limit', 'Requests that the account may make in any 60 seconds, in this mode.'],
    ['X-RateLimit-Remaining', 'Requests left at this moment.'],
    ['X-RateLimit-Reset', 'Unix seconds at which the whole limit is free again.'],
    ['Retry-After', 'With 429 only: whole seconds to wait. A client that sleeps this long gets through.'],
  ];
  const rows = headers.map(
    ([name, meaning]) => html`<tr><th scope="row"><code>${name}</code></th><td><p>${meaning}</p></td></tr>`,
  );
  return {
    id: 'rate-limits',
    title: 'Rate limits',
    text: html`<p>The limit is an exact sliding minute for each account and mode; your plan sets its size. Calls without a key are
limited by address. A bulk call counts once.</p>
<p>New codes have a minute of their own, in which a bulk weighs as many as it has items. Beyond it the answer is 429 too, with
<code>param</code> <code>items</code> for a bulk; the headers speak of requests.</p>
<p>Beyond the limit the answer is 429 <a href="#error-rate_limit_exceeded"><code>rate_limit_exceeded</code></a>. The headers are on
every answer, errors too, so a client need not guess. Redirects of your codes are never limited.</p>
<table><caption>Headers</caption><tbody>${rows}</tbody></table>`,
    board: board(
      html`<b>Headers of an answer</b>`,
      html`X-RateLimit-Limit: 60
X-RateLimit-Remaining: 57
X-RateLimit-Reset: 1772442960
X-Request-Id: req_01k9z3w8fd`,
    ),
  };
}

function idempotency(baseUrl: string): Chapter {
  return {
    id: 'idempotency',
    title: 'Idempotency',
    text: html`<p>A network can fail after the work is done. Send an <code>Idempotency-Key</code> of up to 255 visible characters with
any POST and repeat the request without fear: within 24 hours the same key and body give the first answer again, with
<code>Idempotent-Replayed: true</code>, and nothing is made twice.</p>
<p>The same key with another body is 422 <a href="#error-idempotency_key_reused"><code>idempotency_key_reused</code></a>; while the first
request still runs, 409 <a href="#error-idempotency_in_progress"><code>idempotency_in_progress</code></a>. Answers of 500 and above are not
kept, so that a repeat tries again.</p>`,
    board: board(
      html`<b>Safe to repeat</b>`,
      shell(
        `curl -X POST ${baseUrl}/v1/qrcodes \\\n  -H "Authorization: Bearer $SIGNPOST_KEY" \\\n  -H 'Idempotency-Key: menu-2026-03-02' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"name": "Menu", "destination_url": "https://example.com/menu"}'`,
      ),
    ),
  };
}

function pagination(baseUrl: string): Chapter {
  return {
    id: 'pagination',
    title: 'Pagination',
    text: html`<p>Lists come in pages, newest first. Ask with <code>page</code>, from 1 on, and <code>limit</code>; the answer says in
<code>pagination</code> how many there are in all. A page past the last is empty, which is no error.</p>`,
    board: html`${board(html`<b>The second page</b>`, shell(`curl '${baseUrl}/v1/qrcodes?page=2&limit=20' \\\n  -H "Authorization: Bearer $SIGNPOST_KEY"`))}${board(
      html`<b>pagination</b>`,
      json({ page: 2, limit: 20, total: 57, total_pages: 3 }),
    )}`,
  };
}

/** Every code that an error may carry, each under an address of its own: `doc_url` of an error leads here. */
export function errorChapter(baseUrl: string): Chapter {
  const rows = Object.entries(errorTable).map(
    ([code, { status, meaning }]) => html`<tr id="error-${code}">
<th scope="row"><code>${code}</code> <span class="type">${status}</span></th><td><p>${inline(meaning)}</p></td></tr>`,
  );
  return {
    id: 'errors',
    title: 'Errors',
    text: html`<p>An error has one shape everywhere. <code>code</code> is for programs and does not change; <code>message</code> is for
people and may. <code>param</code> names the field at fault. Tell us the <code>request_id</code> when you ask for help: it names this one
request in the logs.</p>
<table class="errors"><caption>Codes</caption><tbody>${rows}</tbody></table>`,
    board: board(html`<b>400</b> An error`, json(errorExample('invalid_url', baseUrl, 'destination_url'))),
  };
}

export function errorExample(code: ErrorCode, baseUrl: string, param?: string): object {
  return {
    error: {
      code,
      message: errorTable[code].meaning.replaceAll('`', ''),
      ...(param ? { param } : {}),
      request_id: 'req_01k9z3w8fdm5v7c2n4s6t8r0xb',
      doc_url: `${baseUrl}/docs#error-${code}`,
    },
  };
}
