import Type from 'typebox';
import { words } from './words.ts';

/** Every code that an error may carry, with its HTTP status and what it tells the caller. */
export const errorTable = {
  invalid_request: {
    status: 400,
    meaning: 'A field or parameter is missing, unknown or malformed. `param` names it.',
  },
  invalid_json: { status: 400, meaning: 'The body is not valid JSON in UTF-8.' },
  invalid_url: {
    status: 400,
    meaning: 'The destination or webhook URL is not a valid http or https URL.',
  },
  invalid_short_code: {
    status: 400,
    meaning:
      'The short code contains invalid characters or has an invalid length. The operator may require more than 3 characters.',
  },
  reserved_short_code: {
    status: 400,
    meaning: 'The short code is reserved because the service uses it as a path.',
  },
  invalid_rule: {
    status: 400,
    meaning:
      'A rule is malformed or contradicts itself, or has an id that this code does not know. `param` names the field, such as `rules.3.when.time.windows.0.from`.',
  },
  too_many_codes: {
    status: 400,
    meaning:
      'More codes match than this operation takes: 500 for a bulk edit, 10,000 for analytics of a tag, and 1,000 for the pages of a filtered list, or 10,000 sorted by name or scans. Narrow the filter, or walk through a list with `starting_after`.',
  },
  period_not_retained: {
    status: 400,
    meaning:
      'The period begins before the first scan that the service still has. Of earlier months there are sums, which do not answer this request: they have whole months in UTC, without filters. The message says what can be asked for.',
  },
  unscannable_style: {
    status: 400,
    meaning:
      'A color has too little contrast with the background to be scanned, the short link is too long for a code with a logo of this size, or the code could not be read with its logo. `param` names the field.',
  },
  invalid_asset: {
    status: 400,
    meaning:
      'The picture cannot be used: it is not a PNG, JPEG or WebP of an allowed size, is damaged, or its SVG contains something that is not allowed. The message says what.',
  },
  unauthorized: { status: 401, meaning: 'The API key is missing, malformed, unknown or revoked.' },
  forbidden: {
    status: 403,
    meaning:
      'The API key is valid, but the account is not allowed to do this, or the role of the person who is signed in lacks the permission that the message names. If the operator has suspended the account, it can still read data, delete codes and appeal; the message gives the reason.',
  },
  no_account: {
    status: 403,
    meaning:
      'The person who is signed in belongs to no account. Accept an invitation, or ask for a new one. Of the dashboard alone.',
  },
  plan_required: {
    status: 403,
    meaning: 'The plan of the account does not include this feature. Test mode has webhooks on every plan.',
  },
  quota_exceeded: {
    status: 403,
    meaning:
      'The account has reached its limit of QR codes, webhooks, share links, tags, designs, bytes of assets or people, or the code its limit of placements. `limit` and `used` show the limit and the current usage; for a daily limit, `resets_at` shows when there is room again.',
  },
  destination_blocked: {
    status: 403,
    meaning:
      'The destination is blocked: the operator has blocked its host or a parent domain, or it is on a blocklist that the operator has imported. The message names the blocklist.',
  },
  not_found: {
    status: 404,
    meaning: 'No object with this id exists in this account and mode, or the path does not exist.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not support this method. The `Allow` header lists the methods it supports.',
  },
  short_code_taken: {
    status: 409,
    meaning:
      'The short code is already taken. Short codes of live codes are never given to another account, even after deletion. With `reclaimable`, you deleted that code, and `reclaim: true` uses its short code again. In test mode, another of your test codes has it.',
  },
  external_id_taken: {
    status: 409,
    meaning:
      'Another code of the account has this external id in this mode, or another account of the platform has it.',
  },
  placement_taken: { status: 409, meaning: 'The code has a placement with this key already.' },
  immutable_field: {
    status: 409,
    meaning:
      'The code exists, and the request names another value for a field that cannot change. `param` names it.',
  },
  count_changed: {
    status: 409,
    meaning: 'Another number of codes matches than `expected_count` says. Nothing was changed.',
  },
  invalid_transition: {
    status: 409,
    meaning: 'The object cannot change from its current status to the requested one.',
  },
  last_owner: {
    status: 409,
    meaning:
      'The account would have no owner left. Make another person an owner first. Of the dashboard alone.',
  },
  asset_in_use: {
    status: 409,
    meaning: 'A QR code or a design uses the asset as its logo. Delete those first.',
  },
  idempotency_in_progress: {
    status: 409,
    meaning: 'The first request with this Idempotency-Key is still in progress.',
  },
  precondition_failed: {
    status: 412,
    meaning:
      'The code has another revision than `If-Match` names, or exists although `If-None-Match` is `*`. Nothing was changed. Read it again first.',
  },
  gone: { status: 410, meaning: 'The code was deleted, together with its short link and image.' },
  payload_too_large: { status: 413, meaning: 'The body is larger than this endpoint allows.' },
  uri_too_long: { status: 414, meaning: 'The URL is too long.' },
  unsupported_media_type: { status: 415, meaning: 'The body must be sent as application/json.' },
  idempotency_key_reused: {
    status: 422,
    meaning: 'This Idempotency-Key was already used with a different body.',
  },
  rate_limit_exceeded: {
    status: 429,
    meaning:
      'Too many requests, or too many new codes per minute. Wait for the number of seconds in `Retry-After`.',
  },
  internal_error: {
    status: 500,
    meaning: 'Something went wrong on the server. Include the request id when you report it.',
  },
  unavailable: { status: 503, meaning: 'The service is temporarily unavailable. Try again later.' },
  timeout: { status: 504, meaning: 'The request took too long. Ask for a shorter period or fewer results.' },
} as const;

export type ErrorCode = keyof typeof errorTable;

export const errorCodes = Object.keys(errorTable) as ErrorCode[];

const reclaimable = Type.Optional(
  Type.Literal(true, {
    description:
      'With `short_code_taken`: the short code belonged to a code that you deleted. `reclaim: true` uses it again.',
  }),
);
/** Why a short link does not redirect, as far as a scanner may know. */
export const notServedReasons = [
  'paused',
  'not_begun',
  'ended',
  'suspended',
  'held',
  'unknown',
  'deleted',
] as const;
export type NotServedReason = (typeof notServedReasons)[number];

/** One of the things that are wrong with a request. */
const ErrorItem = Type.Object(
  {
    index: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'If all items fail together, as with `atomic`: the position of the item, counted from 0.',
      }),
    ),
    code: Type.Enum(errorCodes, { type: 'string', description: 'Machine-readable error code.' }),
    message: Type.String({ description: 'A human-readable description of this problem.' }),
    param: Type.Optional(Type.String({ description: 'The field or parameter that caused the error.' })),
    reclaimable,
  },
  { title: 'ErrorItem', additionalProperties: false },
);

export type ErrorItem = Type.Static<typeof ErrorItem>;

export const ErrorDetail = Type.Object(
  {
    code: Type.Enum(errorCodes, {
      type: 'string',
      description: 'Machine-readable error code. Each operation lists the codes that it returns.',
    }),
    message: Type.String({ description: 'A human-readable message: what went wrong and what to do next.' }),
    param: Type.Optional(Type.String({ description: 'The field or parameter that caused the error.' })),
    errors: Type.Optional(
      Type.Array(ErrorItem, {
        description:
          'All problems found in the body or query, including the first one. At most 20, or every failed item with `atomic`.',
      }),
    ),
    reclaimable,
    reason: Type.Optional(
      words(
        notServedReasons,
        'Only of a short link that does not redirect: why. `ended` also stands for a code that is used up, and `unknown` for a draft.',
      ),
    ),
    limit: Type.Optional(Type.Integer({ description: 'With `quota_exceeded`: the limit.' })),
    used: Type.Optional(Type.Integer({ description: 'With `quota_exceeded`: the current usage.' })),
    resets_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'With `quota_exceeded` and a daily limit: when there is room again.',
      }),
    ),
    request_id: Type.String({ description: 'Id of the request, as in the X-Request-Id header.' }),
    doc_url: Type.String({ description: 'Link to the documentation of this error code.' }),
  },
  { title: 'ErrorDetail', additionalProperties: false },
);

export const ErrorBody = Type.Object({ error: ErrorDetail }, { title: 'Error', additionalProperties: false });

export type ErrorBody = Type.Static<typeof ErrorBody>;
