import type { Problem } from '@signpost/contract';
import { commonText } from '../strings/common.ts';
import { inOwnWords, type Words } from './own-words.ts';

const words = commonText.problem;

/** One thing that is wrong, and with which field. */
export type ErrorItem = {
  readonly param?: string;
  readonly message: string;
  readonly code?: string;
  readonly problem?: Problem;
};

/** A refusal by the server, or the lack of an answer, in words fit to be shown. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | undefined;
  readonly requestId: string | undefined;
  /** Whether what is taken may be had by asking for it with `reclaim`. */
  readonly isReclaimable: boolean;
  /** Everything that is wrong with what was sent. */
  readonly errors: readonly ErrorItem[];
  /** How long the server asks to wait before the next try. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      param?: string;
      requestId?: string;
      errors?: readonly ErrorItem[];
      retryAfterSeconds?: number;
      isReclaimable?: boolean;
    } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.param = more.param;
    this.requestId = more.requestId;
    this.isReclaimable = more.isReclaimable ?? false;
    this.errors = more.errors ?? [{ message, ...(more.param === undefined ? {} : { param: more.param }) }];
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** The error of an answer: ours has `error`, that of the sign-in routes has `code` and `message` at the top. */
export function errorOf(status: number, body: unknown, headers: Headers, translations: Words = {}): ApiError {
  const requestId = headers.get('x-request-id');
  const retryAfter = headers.get('retry-after');
  const fields = isObject(body) && isObject(body.error) ? body.error : isObject(body) ? body : {};
  const { code, message, param, request_id, errors, reclaimable } = fields;
  const errorCode = typeof code === 'string' ? code : `http_${status}`;
  const items = Array.isArray(errors) ? errors.filter(isItem) : [];
  // The refusal says what is wrong with the first of them.
  const first = items.find(item => item.message === message);
  return new ApiError(
    status,
    errorCode,
    typeof message === 'string' && message
      ? inOwnWords({ ...first, code: errorCode, message }, translations)
      : words.status(status),
    {
      ...(typeof param === 'string' ? { param } : {}),
      ...(reclaimable === true ? { isReclaimable: true } : {}),
      ...(Array.isArray(errors)
        ? {
            errors: items.map(item => ({
              ...item,
              message: inOwnWords({ code: errorCode, ...item }, translations),
            })),
          }
        : {}),
      ...(typeof request_id === 'string' ? { requestId: request_id } : requestId ? { requestId } : {}),
      ...(retryAfter && /^\d+$/.test(retryAfter) ? { retryAfterSeconds: Number(retryAfter) } : {}),
    },
  );
}

export const unreachable = () => new ApiError(0, 'unreachable', words.unreachableSentence);

/** The browser knows that it has no connection. */
export const offline = () => new ApiError(0, 'offline', words.offlineSentence);

const isItem = (value: unknown): value is ErrorItem => isObject(value) && typeof value.message === 'string';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
