/** A refusal by the server, or the lack of an answer, in words fit to be shown. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | undefined;
  readonly requestId: string | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { param?: string; requestId?: string } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.param = more.param;
    this.requestId = more.requestId;
  }
}

/** The error of an answer: ours has `error`, that of the sign-in routes has `code` and `message` at the top. */
export function errorOf(status: number, body: unknown, requestId: string | undefined): ApiError {
  const fields = isObject(body) && isObject(body.error) ? body.error : isObject(body) ? body : {};
  const { code, message, param, request_id } = fields;
  return new ApiError(
    status,
    typeof code === 'string' ? code : `http_${status}`,
    typeof message === 'string' && message ? message : `The server answered with ${status}.`,
    {
      ...(typeof param === 'string' ? { param } : {}),
      ...(typeof request_id === 'string' ? { requestId: request_id } : requestId ? { requestId } : {}),
    },
  );
}

export const unreachable = () =>
  new ApiError(0, 'unreachable', 'The server does not answer. Check your connection, then try again.');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
