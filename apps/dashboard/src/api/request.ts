import { ApiError, errorOf, offline, unreachable } from './api-error.ts';
import { currentMode } from './mode.ts';

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
};

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call with the session's cookie, in the mode that is looked at. Refusals are thrown as `ApiError`. */
export async function request(method: Method, path: string, options: RequestOptions = {}): Promise<Response> {
  const response = await send(method, path, options);
  if (response.ok) return response;
  const error = errorOf(response.status, await response.json().catch(() => null), response.headers);
  if (response.status === 401) for (const listener of signedOutListeners) listener();
  throw error;
}

async function send(
  method: Method,
  path: string,
  { query, body, signal, idempotencyKey, headers }: RequestOptions,
): Promise<Response> {
  try {
    return await fetch(path + searchOf(query), {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        'x-signpost-mode': currentMode(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
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

const signedOutListeners = new Set<() => void>();

/** Told of every 401: the session has ended, here or elsewhere. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError;
