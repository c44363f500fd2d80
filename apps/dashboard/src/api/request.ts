import { currentAccount } from './account.ts';
import { ApiError, errorOf, offline, unreachable } from './api-error.ts';
import { currentMode } from './mode.ts';
import { loadWords } from './own-words.ts';
import { currentSession, signedInAgain } from './session.ts';

type Value = string | number | boolean;
export type Query = Readonly<Record<string, Value | readonly Value[] | undefined>>;
export type RequestOptions = {
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** The same call with the same key is carried out once. */
  readonly idempotencyKey?: string | undefined;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In place of the account that this tab looks at. */
  readonly account?: string | undefined;
  /** How long to wait for the answer, each time that it is sent. */
  readonly timeoutMs?: number | undefined;
  /** Part of signing in or out: that there is no session is its answer. */
  readonly isSignIn?: boolean | undefined;
};

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One call with the session's cookie, in the account and mode that are looked at. Refusals are thrown as `ApiError`. Where the session has
 * ended, nothing was done: once somebody has signed in again, the same is sent once more.
 */
export async function request(method: Method, path: string, options: RequestOptions = {}): Promise<Response> {
  const session = currentSession();
  // What was started in one account is never sent again in another.
  const account = options.account ?? currentAccount();
  const response = await send(method, path, { ...options, account });
  if (response.ok) return response;
  const error = await refusalOf(response);
  if (error.status !== 401 || options.isSignIn || !(await signedInAgain(session))) throw error;
  options.signal?.throwIfAborted();
  const second = await send(method, path, { ...options, account });
  if (second.ok) return second;
  throw await refusalOf(second);
}

const refusalOf = async (response: Response): Promise<ApiError> =>
  errorOf(response.status, await response.json().catch(() => null), response.headers, await loadWords());

async function send(
  method: Method,
  path: string,
  { query, body, signal: left, idempotencyKey, headers, account, timeoutMs }: RequestOptions,
): Promise<Response> {
  const signals = [left, timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)];
  const signal = AbortSignal.any(signals.filter(one => one !== undefined));
  try {
    return await fetch(path + searchOf(query), {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        'x-signpost-mode': currentMode(),
        ...(account === undefined ? {} : { 'x-signpost-account': account }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    });
  } catch (error) {
    if (left?.aborted) throw error;
    throw navigator.onLine ? unreachable() : offline();
  }
}

export function searchOf(query: Query = {}): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter(one => one !== undefined)
      .map(one => [name, String(one)]),
  );
  const search = new URLSearchParams(entries).toString();
  return search ? `?${search}` : '';
}

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError;
