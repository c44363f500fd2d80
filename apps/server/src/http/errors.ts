import { type ErrorBody, type ErrorCode, errorTable } from '@signpost/contract';
import { AppError } from '../kernel/errors.ts';

/** An error as the wire shows it. */
export function presentError(error: AppError, requestId: string, publicUrl: string): ErrorBody {
  const { param, errors, limit, used, resetsAt } = error.details;
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(param === undefined ? {} : { param }),
      ...(errors === undefined ? {} : { errors: [...errors] }),
      ...(limit === undefined ? {} : { limit }),
      ...(used === undefined ? {} : { used }),
      ...(resetsAt === undefined ? {} : { resets_at: resetsAt.toISOString() }),
      request_id: requestId,
      doc_url: `${publicUrl}/docs#error-${error.code}`,
    },
  };
}

export const statusOf = (error: AppError): number => errorTable[error.code].status;

/** Headers that tell the caller what to do about an error. */
export function errorHeaders(error: AppError): Record<string, string> {
  const { retryAfterSeconds, allow, challenge = true } = error.details;
  return {
    ...(error.code === 'unauthorized' && challenge ? { 'www-authenticate': 'Bearer' } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(allow === undefined ? {} : { allow }),
  };
}

/** Nobody reads this answer, but neither the log nor the metrics may call it a fault of ours. */
export const hungUp = () =>
  new AppError('invalid_request', 'The connection was closed before the request was answered.');

/** What the framework refuses by itself, in our words. */
const frameworkErrors: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'The body must be JSON. Send it with the header "Content-Type: application/json".',
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'payload_too_large',
    'The body is larger than this endpoint takes. Send less at a time.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'invalid_request',
    'The body does not have the length that Content-Length says.',
  ],
  FST_ERR_BAD_URL: ['invalid_request', 'The URL is not well formed. Check its percent-encoding.'],
  FST_ERR_MAX_PARAM_LENGTH: ['uri_too_long', 'The URL is too long.'],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: [
    'invalid_request',
    'This method must be sent with the header "Content-Type".',
  ],
};

/** Anything that was thrown, as a refusal of ours. What nobody foresaw is an internal error, with its cause kept. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = frameworkErrors[code];
  if (known) return new AppError(known[0], known[1], { cause: error });
  return new AppError(
    'internal_error',
    'Something went wrong on our side. Try again, and tell us the request id if it stays.',
    {
      cause: error,
    },
  );
}
