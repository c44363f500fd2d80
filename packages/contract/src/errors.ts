import Type from 'typebox';

/** Every code that an error may carry, with its HTTP status and what it tells the caller. */
export const errorTable = {
  invalid_request: {
    status: 400,
    meaning: 'A field or parameter is missing, unknown or of the wrong form; `param` names it.',
  },
  invalid_json: { status: 400, meaning: 'The body is not JSON in UTF-8.' },
  invalid_url: {
    status: 400,
    meaning: 'The destination or the webhook URL is not a usable http or https URL.',
  },
  invalid_short_code: {
    status: 400,
    meaning:
      'The short code has the wrong characters or length; the operator may ask for more than 3 characters.',
  },
  reserved_short_code: { status: 400, meaning: 'The short code is a path of the service itself.' },
  unscannable_style: {
    status: 400,
    meaning: 'A colour is too close to the background for any scanner; `param` names it.',
  },
  unauthorized: { status: 401, meaning: 'The API key is missing, malformed, unknown or revoked.' },
  forbidden: {
    status: 403,
    meaning:
      'The key is good, but the account may not do this. The operator may have suspended it: then it can read, delete codes and appeal, and the message says why.',
  },
  plan_required: { status: 403, meaning: 'The plan of the account does not include this.' },
  quota_exceeded: {
    status: 403,
    meaning:
      'There is no room for more QR codes in the plan, or for more webhooks; `limit` and `used` say how full it is, and `resets_at` when a limit of a day has room again.',
  },
  destination_blocked: {
    status: 403,
    meaning:
      'The operator of this service has blocked the host of the destination or a domain above it, or the destination is on a list of unsafe hosts and URLs that the operator has imported; the message names the list.',
  },
  not_found: {
    status: 404,
    meaning: 'Nothing in this account and mode has this id, or the path does not exist.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method; `Allow` lists the ones it has.',
  },
  short_code_taken: {
    status: 409,
    meaning:
      'The short code is in use, or was once: those of live codes are never given out twice. With a test key: another of your test codes has it.',
  },
  invalid_transition: { status: 409, meaning: 'The code cannot go from its status to the one asked for.' },
  idempotency_in_progress: {
    status: 409,
    meaning: 'The first request with this Idempotency-Key is still running.',
  },
  gone: { status: 410, meaning: 'The code was deleted, and with it its short link and image.' },
  payload_too_large: { status: 413, meaning: 'The body is larger than this endpoint takes.' },
  uri_too_long: { status: 414, meaning: 'The URL is too long.' },
  unsupported_media_type: { status: 415, meaning: 'The body must be sent as application/json.' },
  idempotency_key_reused: { status: 422, meaning: 'This Idempotency-Key was used with another body.' },
  rate_limit_exceeded: {
    status: 429,
    meaning: 'Too many requests, or too many new codes in a minute; wait `Retry-After` seconds.',
  },
  internal_error: { status: 500, meaning: 'A fault of the service. The request id helps us to find it.' },
  unavailable: { status: 503, meaning: 'Something the service needs is away for the moment; try again.' },
  timeout: { status: 504, meaning: 'The answer took too long to work out; ask for less.' },
} as const;

export type ErrorCode = keyof typeof errorTable;

export const errorCodes = Object.keys(errorTable) as ErrorCode[];

/** One of the things that are wrong with a request. */
const ErrorItem = Type.Object(
  {
    index: Type.Optional(
      Type.Integer({ minimum: 0, description: 'With `atomic`: which of the items, from 0.' }),
    ),
    code: Type.Enum(errorCodes, { type: 'string' }),
    message: Type.String({ description: 'What is wrong with this one, for people.' }),
    param: Type.Optional(Type.String({ description: 'The field or parameter at fault.' })),
  },
  { title: 'ErrorItem', additionalProperties: false },
);

export type ErrorItem = Type.Static<typeof ErrorItem>;

export const ErrorBody = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Enum(errorCodes, { type: 'string' }),
        message: Type.String({ description: 'What went wrong and what to do next, for people.' }),
        param: Type.Optional(Type.String({ description: 'The field or parameter at fault.' })),
        errors: Type.Optional(
          Type.Array(ErrorItem, {
            description:
              'Everything that is wrong with a body or query, the first included. Up to 20; with `atomic`, every bad item.',
          }),
        ),
        limit: Type.Optional(Type.Integer({ description: 'With quota_exceeded: how many there may be.' })),
        used: Type.Optional(Type.Integer({ description: 'With quota_exceeded: how many there are.' })),
        resets_at: Type.Optional(
          Type.String({
            format: 'date-time',
            description: 'With quota_exceeded, where the limit is one of a day: when there is room again.',
          }),
        ),
        request_id: Type.String({ description: 'The same as in X-Request-Id.' }),
        doc_url: Type.String({ description: 'Where this code is explained.' }),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'Error', additionalProperties: false },
);

export type ErrorBody = Type.Static<typeof ErrorBody>;
