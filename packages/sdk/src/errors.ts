import type { ErrorBody, ErrorItem } from './generated.ts';

export type ErrorCode = ErrorBody['error']['code'];

/** Everything that this package throws for a reason outside of the program. */
export class SignpostError extends Error {
  override readonly name: string = 'SignpostError';
}

/** What the service said when it refused. */
export type Refusal = Partial<ErrorBody['error']> & {
  readonly status: number;
  readonly headers: Headers;
};

/** The service answered, and the answer is no. */
export class ApiError extends SignpostError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** Undefined where something in between answered in the place of the service. */
  readonly code: ErrorCode | undefined;
  /** The field or parameter at fault. */
  readonly param: string | undefined;
  /** Everything that is wrong with the request, the first included; empty where something in between answered. */
  readonly errors: readonly ErrorItem[];
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined;
  readonly docUrl: string | undefined;
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

/** The request is wrong and will stay wrong (400, 405, 413, 414, 415, 422); `param` names the field. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
}

/** The API key is missing, malformed, unknown or revoked (401). */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** The key is good, but the account may not do this (403). */
export class PermissionError extends ApiError {
  override readonly name: string = 'PermissionError';
}

/** The plan has no room for more QR codes (403). */
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

/** Nothing in this account and mode has this id (404), or no longer (410). */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** It clashes with what is there: a short code that is taken, a status that cannot follow (409). */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** Too many requests (429). It is thrown only after the retries. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
  readonly retryAfterSeconds: number | undefined;

  constructor(refusal: Refusal) {
    super(refusal);
    this.retryAfterSeconds = retryAfterSeconds(refusal.headers);
  }
}

/** A fault of the service or of something on the way to it (5xx). It is thrown only after the retries. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

/** No answer came: the network, the name, the certificate. `cause` tells. */
export class ConnectionError extends SignpostError {
  override readonly name: string = 'ConnectionError';
}

/** No answer came within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** A webhook that must not be believed. */
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
