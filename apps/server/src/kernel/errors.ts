import type { ErrorCode, ErrorItem, NotServedReason } from '@signpost/contract';

type Details = {
  /** The invalid field or parameter. */
  readonly param?: string;
  /** Everything that is wrong with the request, this first one included. */
  readonly errors?: readonly ErrorItem[];
  /** Whether the caller may have what is taken by asking for it with `reclaim`. */
  readonly reclaimable?: true;
  /** Why a short link does not redirect. */
  readonly reason?: NotServedReason;
  readonly limit?: number;
  readonly used?: number;
  /** When the limit has room again. */
  readonly resetsAt?: Date;
  readonly retryAfterSeconds?: number;
  readonly allow?: string;
  /** false: the answer names no authentication scheme. */
  readonly challenge?: boolean;
  readonly cause?: unknown;
};

/** A refusal: an error code of the contract, a message for the caller, and a cause for the log. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Details;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }
}

export function assertNever(value: never): never {
  throw new Error(`Not reachable: ${JSON.stringify(value)}`);
}
