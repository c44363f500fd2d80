import { type ErrorCode, errorTable, type NotServedReason } from '@signpost/contract';
import { type Language, perLanguage } from '../http/pages/language.ts';
import { publicHeaders, publicPage } from '../http/pages/public-page.ts';
import { publicWords } from '../http/pages/public-words.ts';
import { AppError } from '../kernel/errors.ts';
import { requestIdLength } from '../kernel/request-ids.ts';
import type { PageKind } from './decide.ts';

/** The page for a scanner that is not redirected. Apart from the request id, which is ours, all in a language get the same bytes. */
export type Page = {
  readonly status: number;
  readonly html: Readonly<Record<Language, Body>>;
  /** For programs, in English. */
  readonly json: Body;
};

/** Built once, at the start, with its headers; only the request id is inserted. */
type Body = {
  readonly bytes: Buffer;
  readonly requestIdAt: number;
  readonly headers: Readonly<Record<string, string | number>>;
};

export type Pages = Readonly<Record<PageKind | 'not_allowed', Page>>;

/** How an error looks on the wire; the caller passes the presenter that all of the API uses. */
export type PresentError = (error: AppError, requestId: string) => object;

const errorCodes: Readonly<Record<keyof Pages, ErrorCode>> = {
  paused: 'not_found',
  not_begun: 'not_found',
  ended: 'not_found',
  stopped: 'not_found',
  held: 'not_found',
  unknown: 'not_found',
  home: 'not_found',
  not_connected: 'not_found',
  deleted: 'gone',
  busy: 'rate_limit_exceeded',
  unavailable: 'unavailable',
  not_allowed: 'method_not_allowed',
};

/** For programs; where the service itself is the cause, the code of the error says all. */
const reasons: { readonly [Kind in keyof Pages]?: NotServedReason } = {
  paused: 'paused',
  not_begun: 'not_begun',
  ended: 'ended',
  stopped: 'suspended',
  held: 'held',
  unknown: 'unknown',
  deleted: 'deleted',
};

/** Marks where the request id goes. It occurs nowhere else in a page. */
const requestIdMark = '?'.repeat(requestIdLength);

export const createPages = (present: PresentError): Pages =>
  Object.fromEntries(
    Object.entries(errorCodes).map(([kind, code]): [string, Page] => [
      kind,
      {
        status: errorTable[code].status,
        html: perLanguage(language => renderHtml(kind as keyof Pages, language)),
        json: renderJson(kind as keyof Pages, code, present),
      },
    ]),
  ) as Pages;

/** The bytes of a page with the id of this request. */
export function fillIn({ bytes, requestIdAt }: Body, requestId: string): Buffer {
  const filled = Buffer.from(bytes);
  filled.write(requestId, requestIdAt, 'latin1');
  return filled;
}

function renderHtml(kind: keyof Pages, language: Language): Body {
  const { pages, reference } = publicWords[language];
  const { title, text } = pages[kind];
  const { html, headers } = publicPage({
    language,
    title,
    layout: 'message',
    main: `<h1>${title}</h1>
<p>${text}</p>
<small>${reference(requestIdMark)}</small>`,
  });
  return createBody(html, headers);
}

function renderJson(kind: keyof Pages, code: ErrorCode, present: PresentError): Body {
  const { title, text } = publicWords.en.pages[kind];
  const reason = reasons[kind];
  const error = new AppError(code, `${title}. ${text}`, reason === undefined ? {} : { reason });
  return createBody(JSON.stringify(present(error, requestIdMark)), {
    ...publicHeaders('message'),
    'content-type': 'application/json; charset=utf-8',
  });
}

function createBody(text: string, headers: Readonly<Record<string, string>>): Body {
  const bytes = Buffer.from(text);
  return {
    bytes,
    requestIdAt: bytes.indexOf(requestIdMark),
    headers: { ...headers, 'content-length': bytes.length, vary: 'Accept, Accept-Language' },
  };
}
/** Whether the Accept header prefers JSON to HTML. */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return parseWeight(accept, 'application/json') > parseWeight(accept, 'text/html');
}

/** The weight of a type in an Accept header: its own entry counts before `type/*`, and that before the entry for all types. */
function parseWeight(accept: string, type: string): number {
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
