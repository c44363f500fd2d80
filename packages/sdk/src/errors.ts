import type { ErrorBody, ErrorItem } from './generated.ts';

export type ErrorCode = ErrorBody['error']['code'];

/**
 * The base of every error that this package throws, except `TypeError` for a call that is wrong in itself.
 *
 * @example
 * ```ts
 * try {
 *   await signpost.qrcodes.create({ name, destination_url, short_code: 'menu' });
 * } catch (error) {
 *   if (error instanceof ConflictError && error.code === 'short_code_taken') return askForAnotherCode();
 *   if (error instanceof ApiError) console.error(error.status, error.code, error.param, error.requestId);
 *   throw error;
 * }
 * ```
 */
export class SignpostError extends Error {
  override readonly name: string = 'SignpostError';
}

/** An error response of the service. */
export type Refusal = Partial<ErrorBody['error']> & {
  readonly status: number;
  readonly headers: Headers;
};

/** The service answered with an error. The classes below tell its kinds apart; `code` names the exact one. */
export class ApiError extends SignpostError {
  override readonly name: string = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** Undefined if a proxy on the way answered instead of the service. */
  readonly code: ErrorCode | undefined;
  /** The field or parameter that is wrong. */
  readonly param: string | undefined;
  /** Everything that is wrong with the request, the first error included; empty if a proxy answered. */
  readonly errors: readonly ErrorItem[];
  /** The request in the logs of the service. Quote it when you ask for help. */
  readonly requestId: string | undefined;
  /** The explanation of `code` in the reference of your server. */
  readonly docUrl: string | undefined;
  /** Of the response: rate limit, request id. */
  readonly headers: Headers;

  constructor({ status, headers, message, code, param, errors, request_id, doc_url }: Refusal) {
    super(message ?? `The server answered ${status}`);
    this.status = status;
    this.headers = headers;
    this.code = code;
    this.param = param;
    this.errors = errors ?? (code ? [{ code, message: this.message, param }] : []);
    this.requestId = request_id ?? headers.get('x-request-id') ?? undefined;
    this.docUrl = doc_url;
  }
}

/**
 * The request is wrong (400, 405, 413, 414, 415, 422), and sending it again does not help. `param` names the field,
 * `errors` lists everything that is wrong.
 */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
}

/** The API key is missing, malformed, unknown or revoked (401). Check `apiKey` and that it belongs to this server. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** The key is valid, but the account may not do this: its plan does not include it, or it is suspended (403). */
export class PermissionError extends ApiError {
  override readonly name: string = 'PermissionError';
}

/** The plan has no room for more QR codes (403): `used` of `limit`. Delete some, or ask the operator of the server for more. */
export class QuotaExceededError extends PermissionError {
  override readonly name = 'QuotaExceededError';
  readonly limit: number | undefined;
  readonly used: number | undefined;

  constructor(refusal: Refusal) {
    super(refusal);
    this.limit = refusal.limit;
    this.used = refusal.used;
  }
}

/** Nothing in this account has this id (404), or no longer (410). Live and test keys do not see each other's codes. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** The request conflicts with the current state: a short code that is taken, a change of status that is not possible (409). */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** The code was edited since the revision in `ifMatch`, or exists despite `ifNoneMatch` (412). Nothing was changed: read it again. */
export class PreconditionFailedError extends ApiError {
  override readonly name = 'PreconditionFailedError';
}

/** Too many requests (429), also after the retries. Wait `retryAfterSeconds` before you call again. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
  readonly retryAfterSeconds: number | undefined;

  constructor(refusal: Refusal) {
    super(refusal);
    this.retryAfterSeconds = retryAfterSeconds(refusal.headers);
  }
}

/** The service or a proxy on the way failed (5xx), also after the retries. `requestId` finds it in the logs. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

/** No answer came: network, DNS or certificate. `cause` has the reason. */
export class ConnectionError extends SignpostError {
  override readonly name: string = 'ConnectionError';
}

/** No answer came within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** A webhook that must not be trusted: answer it with 400. The message says what is wrong and what to check. */
export class WebhookVerificationError extends SignpostError {
  override readonly name = 'WebhookVerificationError';
}

export function toApiError(refusal: Refusal): ApiError {
  if (refusal.code === 'quota_exceeded') return new QuotaExceededError(refusal);
  const Kind = kindOf(refusal.status);
  return new Kind(refusal);
}

function kindOf(status: number): new (refusal: Refusal) => ApiError {
  if (status >= 500) return ServerError;
  switch (status) {
    case 401:
      return AuthenticationError;
    case 403:
      return PermissionError;
    case 404:
    case 410:
      return NotFoundError;
    case 409:
      return ConflictError;
    case 412:
      return PreconditionFailedError;
    case 429:
      return RateLimitError;
    default:
      return status >= 400 ? InvalidRequestError : ApiError;
  }
}

/** Whole seconds, or a date. */
export function retryAfterSeconds(headers: Headers, nowMs = Date.now()): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}
