import type { Answered } from './api-promise.ts';
import { ConnectionError, type Refusal, SignpostError, TimeoutError, toApiError } from './errors.ts';
import type { ErrorBody } from './generated.ts';
import { delayBeforeRetry, type RetryRules } from './retry.ts';
import { userAgentOf } from './user-agent.ts';

/** As much of `fetch` as is used, so that you can pass another one. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type RequestOptions = Partial<RetryRules> & {
  /** Ends the call, with its retries and waits. */
  readonly signal?: AbortSignal | undefined;
  /** The longest that one attempt may take. */
  readonly timeoutMs?: number | undefined;
  /** For POST: the same key and body return the first answer again. Random if you give none. */
  readonly idempotencyKey?: string | undefined;
  /**
   * The `revision` that a change is based on: if the code has another by now, nothing is changed and the call fails with a
   * `PreconditionFailedError`. `'*'`: the code must exist.
   */
  readonly ifMatch?: number | '*' | undefined;
  /** For `upsert`: only create. If the code exists, the call fails with a `PreconditionFailedError`. */
  readonly ifNoneMatch?: '*' | undefined;
  /** Added to the request, or in the place of what the SDK sends. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

export const optionNames = Object.keys({
  signal: true,
  timeoutMs: true,
  idempotencyKey: true,
  ifMatch: true,
  ifNoneMatch: true,
  headers: true,
  maxRetries: true,
  maxRetryDelayMs: true,
} satisfies Record<keyof RequestOptions, true>);

/** A request that is about to be sent again. */
export type Retry = {
  /** 1 for the first retry. */
  readonly attempt: number;
  /** How long the SDK waits before it. */
  readonly delayMs: number;
  /** Why: an `ApiError` or a `ConnectionError`. */
  readonly error: unknown;
  readonly method: string;
  readonly url: string;
};

export type OnRetry = (retry: Retry) => void;

export type TransportOptions = RetryRules & {
  readonly apiKey: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly onRetry?: OnRetry | undefined;
};

type Call = {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  /** A file is handed over as it comes; everything else is read whole, within the time limit. */
  readonly isFile: boolean;
};

export type Transport = (call: Call, options?: RequestOptions) => Promise<Answered>;

/** Sends calls, again where that is safe, until there is an answer or a reason. */
export function createTransport(defaults: TransportOptions): Transport {
  const userAgent = userAgentOf(globalThis);
  return async (call, options = {}) => {
    const rules = {
      maxRetries: options.maxRetries ?? defaults.maxRetries,
      maxRetryDelayMs: options.maxRetryDelayMs ?? defaults.maxRetryDelayMs,
    };
    const headers = headersOf(call, defaults.apiKey, userAgent, options);
    const init: RequestInit = {
      method: call.method,
      // The answers of an API of one's own do not redirect; following one would show the key to another host.
      redirect: 'manual',
      headers,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    };
    const timeoutMs = options.timeoutMs ?? defaults.timeoutMs;
    for (let retries = 0; ; retries++) {
      options.signal?.throwIfAborted();
      try {
        return await tryOnce(defaults.fetch, call, init, timeoutMs, options.signal);
      } catch (error) {
        options.signal?.throwIfAborted();
        const delayMs = delayBeforeRetry(error, { method: call.method, headers }, retries, rules);
        if (delayMs === null) throw error;
        const { method, url } = call;
        defaults.onRetry?.({ attempt: retries + 1, delayMs, error, method, url });
        await wait(delayMs, options.signal);
      }
    }
  };
}

function headersOf(
  call: Call,
  apiKey: string,
  userAgent: string | undefined,
  options: RequestOptions,
): Record<string, string> {
  const own = Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    accept: call.isFile ? '*/*' : 'application/json',
    authorization: `Bearer ${apiKey}`,
    ...(userAgent ? { 'user-agent': userAgent } : {}),
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(options.ifMatch === undefined ? {} : { 'if-match': toEtag(options.ifMatch) }),
    ...(options.ifNoneMatch === undefined ? {} : { 'if-none-match': options.ifNoneMatch }),
    ...(call.method === 'POST' ? { 'idempotency-key': options.idempotencyKey ?? randomKey() } : {}),
    // In lower case: the same name in two spellings would be sent as one header with both values.
    ...Object.fromEntries(own),
  };
}

const toEtag = (revision: number | '*') => (revision === '*' ? revision : `"${revision}"`);

/** 128 random bits. Not `randomUUID`, which pages without TLS lack. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');

async function tryOnce(
  send: Fetch,
  call: Call,
  init: RequestInit,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Answered> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  const both = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  try {
    const response = await send(call.url, { ...init, signal: both });
    if (response.ok && call.isFile) return { data: response, response };
    const text = await response.text();
    if (response.ok) return { data: parsed(text, response), response };
    throw toApiError(refusalOf(text, response));
  } catch (cause) {
    if (cause instanceof SignpostError) throw cause;
    if (ending.signal.aborted && !signal?.aborted) {
      throw new TimeoutError(`No answer within ${timeoutMs} ms from ${call.url}`, { cause });
    }
    throw new ConnectionError(`No answer from ${call.url}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

function parsed(text: string, { status, headers }: Response): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw toApiError({
      status,
      headers,
      message: 'The answer is not JSON. Is baseUrl the address of the API?',
    });
  }
}

function refusalOf(text: string, { status, headers }: Response): Refusal {
  try {
    const { error } = JSON.parse(text) as ErrorBody;
    return { ...error, status, headers };
  } catch {
    // A proxy on the way answers in its own words, which are not shown: they may be a whole page.
    return { status, headers };
  }
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
