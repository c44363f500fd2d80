import { type ErrorBody, type ErrorCode, errorTable } from '@signpost/contract';
import { AppError } from '../kernel/errors.ts';

/** An error as responses show it. */
export function presentError(error: AppError, requestId: string, publicUrl: string): ErrorBody {
  const { param, errors, reclaimable, reason, limit, used, resetsAt } = error.details;
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(param === undefined ? {} : { param }),
      ...(errors === undefined ? {} : { errors: [...errors] }),
      ...(reclaimable === undefined ? {} : { reclaimable }),
      ...(reason === undefined ? {} : { reason }),
      ...(limit === undefined ? {} : { limit }),
      ...(used === undefined ? {} : { used }),
      ...(resetsAt === undefined ? {} : { resets_at: resetsAt.toISOString() }),
      request_id: requestId,
      doc_url: `${publicUrl}/docs#error-${error.code}`,
    },
  };
}

export const toStatus = (error: AppError): number => errorTable[error.code].status;

/** Headers that tell the client what to do about an error. */
export function errorHeaders(error: AppError): Record<string, string> {
  const { retryAfterSeconds, allow, challenge = true } = error.details;
  return {
    ...(error.code === 'unauthorized' && challenge ? { 'www-authenticate': 'Bearer' } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(allow === undefined ? {} : { allow }),
  };
}

/** Nobody reads this response, but neither the log nor the metrics may report it as a failure of the service. */
export const hungUp = () =>
  new AppError('invalid_request', 'The connection was closed before the request was answered.');

/** What Fastify refuses by itself, as errors of the API. */
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
    'The body is not as long as its Content-Length header says. Send the right length, or leave the header out.',
  ],
  FST_ERR_BAD_URL: ['invalid_request', 'The URL is not well formed. Check its percent-encoding.'],
  FST_ERR_MAX_PARAM_LENGTH: ['uri_too_long', 'The URL is too long. Shorten it.'],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: [
    'invalid_request',
    'This method must be sent with the header "Content-Type".',
  ],
};

/** Anything that was thrown, as an error of the API. What was not expected is an internal error that keeps its cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = frameworkErrors[code];
  if (known) return new AppError(known[0], known[1], { cause: error });
  return new AppError(
    'internal_error',
    'Something went wrong on our side. Try again, and tell us the request id if it happens again.',
    {
      cause: error,
    },
  );
}
