import { isDeepStrictEqual } from 'node:util';
import { type ErrorCode, errorTable, type Operation, operations, rolePermissions } from '@signpost/contract';
import type { ApiDocument, FuzzOperation } from '@signpost/testing/openapi/document.ts';
import type { Answer } from '@signpost/testing/raw-http.ts';
import { type Case, isPerson } from './cases.ts';
import type { Request } from './request.ts';

/** What is wrong with a response. */
export type Fault = { readonly kind: 'server_error' | 'schema_break'; readonly what: string };

export type Checked = {
  readonly request: Request;
  readonly answer: Answer | string;
  /** The request is so malformed that it may not reach an operation. */
  readonly astray: boolean;
};

/** Refusals of requests that reach no operation. */
const refusals = new Set([400, 401, 404, 405, 413, 414, 415, 429]);

/** Checks everything that any response must fulfil. Returns the first fault, or null. */
export function faultOf({ request, answer, astray }: Checked, document: ApiDocument): Fault | null {
  if (typeof answer === 'string') return { kind: 'server_error', what: answer };
  const { status, headers } = answer;
  const text = answer.body.toString('utf8');
  if (!(status < 500)) return { kind: 'server_error', what: `status ${status}: ${text.slice(0, 300)}` };

  const operation = document.find(request.method, request.target);
  // The root of the service leads to the dashboard.
  if (!operation && status === 302 && headers.location === '/app/') return null;
  const broken = (what: string): Fault => ({ kind: 'schema_break', what: `${status}: ${what}` });
  const refused = (astray || !operation) && refusals.has(status);
  if (!operation?.responses.has(status) && !refused) return broken('a status that is not declared');
  const missing = missingHeader(headers, operation !== null || isApi(request.target));
  if (missing) return broken(`no ${missing}`);
  const leak = leaks.find(pattern => pattern.test(text));
  if (leak && status >= 400) return broken(`the body lets out ${leak}`);
  if (request.method === 'HEAD') return null;
  const wrong = wrongBody(answer, text, operation, document);
  return wrong === null ? null : broken(wrong);
}

/** Whatever a request looks like, nobody does what their role may not. */
export function roleFault(
  { who }: Pick<Case, 'who'>,
  request: Request,
  { status }: Answer,
  document: ApiDocument,
): Fault | null {
  const id = document.find(request.method, request.target)?.id as keyof typeof operations | undefined;
  const { permission } = (id ? operations[id] : {}) as Partial<Operation>;
  if (!isPerson(who) || !permission || rolePermissions[who].has(permission) || status >= 400) return null;
  return { kind: 'schema_break', what: `${status} for the role ${who}, which lacks ${permission}` };
}

/** A created code must exist with the fields that were sent. */
export function echoFault(request: Request, made: Answer, read: Answer | string): Fault | null {
  const fault = (what: string): Fault => ({ kind: 'schema_break', what });
  if (typeof read === 'string' || read.status !== 200) {
    return fault(`what was made cannot be read: ${typeof read === 'string' ? read : read.status}`);
  }
  const asked = JSON.parse(request.body!.toString('utf8'));
  const said = JSON.parse(made.body.toString('utf8'));
  const kept = JSON.parse(read.body.toString('utf8'));
  for (const [name, value] of Object.entries(asked)) {
    if (!Object.hasOwn(said, name)) continue;
    if (!isEcho(name, value, said[name])) return fault(`${name} is not echoed as it was sent`);
    if (!isEcho(name, value, kept[name])) return fault(`${name} is not read as it was sent`);
  }
  return null;
}

/** What is read of a field that was cleared. */
const emptyOf: Readonly<Record<string, unknown>> = { rules: [], metadata: {}, append_query: {} };

function isEcho(name: string, sent: unknown, read: unknown): boolean {
  const expected = sent === null ? (emptyOf[name] ?? null) : sent;
  if (name === 'tags')
    return isDeepStrictEqual(foldedTags(read as string[]), foldedTags(expected as string[]));
  // Rules are read with their ids and all that was left out, and times in UTC.
  if (name === 'rules') return (read as unknown[]).length === (expected as unknown[]).length;
  if ((name === 'starts_at' || name === 'expires_at') && typeof expected === 'string')
    return Date.parse(read as string) === Date.parse(expected);
  return isDeepStrictEqual(read, expected);
}

/** Tags are a set, and the first spelling of each is kept. */
const foldedTags = (names: readonly string[]) =>
  new Set(names.map(name => name.trim().normalize('NFC').toLowerCase()));

const isApi = (target: string) => /^\/v1(?:[/?]|$)/.test(target);

function missingHeader(headers: Answer['headers'], limited: boolean): string | null {
  if (!headers['x-request-id']) return 'X-Request-Id';
  const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
  return (limited && names.find(name => !/^\d+$/.test(headers[name] ?? ''))) || null;
}

function wrongBody(
  { status, headers, body }: Answer,
  text: string,
  operation: FuzzOperation | null,
  document: ApiDocument,
): string | null {
  const type = (headers['content-type'] ?? 'no media type').split(';', 1).join('').trim();
  const declared = operation?.responses.get(status);
  if (status >= 400) return type === 'application/json' ? wrongError(status, headers, text, document) : type;
  if (status === 304) return declared && body.length === 0 ? null : 'not declared, or with a body';
  if (!declared?.has(type)) return `${type} is not declared`;
  const validate = declared.get(type);
  if (!validate) return body.length > 0 ? null : 'an empty file';
  const value = type === 'application/json' ? JSON.parse(text) : text;
  return validate(value) ? null : `${JSON.stringify(validate.errors![0])} in ${text.slice(0, 300)}`;
}

function wrongError(
  status: number,
  headers: Answer['headers'],
  text: string,
  { isError }: ApiDocument,
): string | null {
  if (!isError(JSON.parse(text))) return `not an Error: ${JSON.stringify(isError.errors![0])}`;
  const { code, message, request_id: requestId } = JSON.parse(text).error;
  if (errorTable[code as ErrorCode]?.status !== status) return `${code} does not belong to this status`;
  // A repeated request gets the stored refusal, with the request id of the first.
  const isKept = headers['idempotent-replayed'] === 'true';
  if (requestId !== headers['x-request-id'] && !isKept) return 'two request ids';
  if (message === '' || !message.isWellFormed()) return 'a message that cannot be read';
  return null;
}

/** Texts that only the internals of a server produce. */
const leaks = [
  /(?:\n|\\n)\s+at .+:\d+:\d+/,
  /node_modules|node:internal/,
  /\b(?:Type|Range|Reference|Syntax)Error\b/,
  /syntax error at or near|violates|duplicate key value|invalid input syntax|invalid byte sequence/i,
  /\b(?:qr_codes|api_keys|code_counts|count_buckets|code_tags|idempotency_keys)\b/,
  /ECONN|ETIMEDOUT|127\.0\.0\.1:\d/,
];
