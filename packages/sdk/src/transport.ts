import { ConnectionError, type Refusal, SignpostError, TimeoutError, toApiError } from './errors.ts';
import type { ErrorBody } from './generated.ts';
import { delayBeforeRetry, type RetryRules } from './retry.ts';

/** As much of `fetch` as is used, so that any can be given. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type RequestOptions = Partial<RetryRules> & {
  /** Ends the call, its retries and waits included. */
  readonly signal?: AbortSignal | undefined;
  /** The longest that one try may take. */
  readonly timeoutMs?: number | undefined;
  /** For POST: the same key and body give the first answer again. Made up where none is given. */
  readonly idempotencyKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

export const optionNames = Object.keys({
  signal: true,
  timeoutMs: true,
  idempotencyKey: true,
  headers: true,
  maxRetries: true,
  maxRetryDelayMs: true,
} satisfies Record<keyof RequestOptions, true>);

export type TransportOptions = RetryRules & {
  readonly apiKey: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
};

export type Call = {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  /** A file is handed over as it comes; everything else is read whole, within the time limit. */
  readonly isFile: boolean;
};

export type Transport = (call: Call, options?: RequestOptions) => Promise<unknown>;

/** Sends calls, again where that is safe, until there is an answer or a reason. */
export function createTransport(defaults: TransportOptions): Transport {
  return async (call, options = {}) => {
    const rules = {
      maxRetries: options.maxRetries ?? defaults.maxRetries,
      maxRetryDelayMs: options.maxRetryDelayMs ?? defaults.maxRetryDelayMs,
    };
    const init: RequestInit = {
      method: call.method,
      // The answers of an API of one's own do not redirect; following one would show the key to another host.
      redirect: 'manual',
      headers: headersOf(call, defaults.apiKey, options),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    };
    const timeoutMs = options.timeoutMs ?? defaults.timeoutMs;
    for (let retries = 0; ; retries++) {
      options.signal?.throwIfAborted();
      try {
        return await tryOnce(defaults.fetch, call, init, timeoutMs, options.signal);
      } catch (error) {
        options.signal?.throwIfAborted();
        const delayMs = delayBeforeRetry(error, call.method, retries, rules);
        if (delayMs === null) throw error;
        await wait(delayMs, options.signal);
      }
    }
  };
}

function headersOf(call: Call, apiKey: string, options: RequestOptions): Record<string, string> {
  return {
    accept: call.isFile ? '*/*' : 'application/json',
    authorization: `Bearer ${apiKey}`,
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(call.method === 'POST' ? { 'idempotency-key': options.idempotencyKey ?? randomKey() } : {}),
    ...options.headers,
  };
}

/** 128 random bits. Not `randomUUID`, which pages without TLS lack. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');

async function tryOnce(
  send: Fetch,
  call: Call,
  init: RequestInit,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  const both = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  try {
    const response = await send(call.url, { ...init, signal: both });
    if (response.ok && call.isFile) return response;
    const text = await response.text();
    if (response.ok) return parsed(text, response);
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
