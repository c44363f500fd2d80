import { colorPattern, cornersDotTypes, cornersSquareTypes, dotsTypes, gradeLevels } from '@signpost/qr';
import Type from 'typebox';
import { ErrorDetail } from './errors.ts';
import { Pagination, pageQuery } from './pages.ts';
import { DestinationUrl } from './urls.ts';
import { shortCodeLength, shortCodePattern, statuses } from './values.ts';
import { words } from './words.ts';

const color = (description: string) =>
  Type.Optional(
    Type.String({ pattern: colorPattern, 'x-form': 'a hex colour such as #1A2B3C', description }),
  );

export const StyleBody = Type.Object(
  {
    dotsType: Type.Optional(words(dotsTypes, 'Shape of the dots. Defaults to square.')),
    dotsColor: color('Color of the dots. Defaults to #000000.'),
    backgroundColor: color('Color of the background. Defaults to #FFFFFF.'),
    cornersSquareType: Type.Optional(
      words(cornersSquareTypes, 'Shape of the corner squares. Defaults to square.'),
    ),
    cornersSquareColor: color('Color of the corner squares. Defaults to dotsColor.'),
    cornersDotType: Type.Optional(
      words(
        cornersDotTypes,
        'Shape of the corner dots. Defaults to dot inside a dot corner square, otherwise to square.',
      ),
    ),
    cornersDotColor: color('Color of the corner dots. Defaults to cornersSquareColor.'),
  },
  {
    title: 'Style',
    additionalProperties: false,
    description: 'Appearance of the image. It cannot be changed after creation.',
  },
);

/** The same in responses, where later versions may add to it. */
export const QrCodeStyle = Type.Object(StyleBody.properties, {
  title: 'QrCodeStyle',
  additionalProperties: false,
  description: 'Appearance of the image, as given on creation.',
});

/** Text that PostgreSQL can hold and JSON can carry: no NUL and no lone surrogate; and something of it can be seen. */
const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\u0000\\uD800-\\uDFFF]*[^\\s\\u0000\\uD800-\\uDFFF][^\\u0000\\uD800-\\uDFFF]*$',
  'x-visible': true,
  'x-form': '1 to 255 characters of well-formed text, and not only white space or invisible characters',
  description: 'Display name. Must contain at least one visible character.',
});

const ShortCode = Type.String({
  minLength: shortCodeLength.min,
  maxLength: shortCodeLength.max,
  pattern: shortCodePattern,
  'x-form': '3 to 64 letters, digits, - or _, and begin and end with a letter or digit',
  description:
    'Slug of the short link: letters, digits, `-` and `_`, starting and ending with a letter or digit. Unique, ignoring case. A short code of a live code is never reused. A short code of a test code is unique within your account and available again once the code is deleted.',
});

export const CreateQrCode = Type.Object(
  {
    name: Name,
    destination_url: Type.Optional(DestinationUrl),
    short_code: Type.Optional(ShortCode),
    style: Type.Optional(StyleBody),
    status: Type.Optional(
      words(['active', 'draft'], 'A draft does not redirect until it is activated. Defaults to active.'),
    ),
    type: Type.Optional(words(['url'], 'Accepted for compatibility. Always url.')),
    destination: Type.Optional(Type.String({ ...DestinationUrl, description: 'Alias of destination_url.' })),
  },
  {
    title: 'CreateQrCode',
    additionalProperties: false,
    anyOf: [{ required: ['destination_url'] }, { required: ['destination'] }],
  },
);

export const UpdateQrCode = Type.Object(
  {
    name: Type.Optional(Name),
    destination_url: Type.Optional(DestinationUrl),
    active: Type.Optional(
      Type.Boolean({
        description: '`true` resumes a paused code or publishes a draft; `false` pauses the code.',
      }),
    ),
  },
  {
    title: 'UpdateQrCode',
    additionalProperties: false,
    description: 'The fields to change.',
    'x-fixed': {
      style: 'The style cannot change after creation. Create a new code with the style you want.',
      short_code:
        'The short code cannot change after creation. Create a new code with the short code you want.',
      status:
        'The status follows from active: send active: false to pause, active: true to resume or to publish a draft.',
    },
  },
);

export const Scannability = Type.Object(
  {
    level: words(gradeLevels, 'How reliably codes with this style scan.'),
    reasons: Type.Array(Type.String(), {
      description: 'Human-readable reasons why the code may be hard to scan. Empty if there are none.',
    }),
  },
  { title: 'Scannability', additionalProperties: false },
);

const timestamp = () => Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });
const qrCodeId = () =>
  Type.String({ pattern: '^qr_[0-9a-hjkmnp-tv-z]{26}$', 'x-form': 'an id that looks like qr_…' });

export const availabilityStates = ['live', 'suspended', 'held', 'off'] as const;

export const Availability = Type.Object(
  {
    state: words(
      availabilityStates,
      '`live`: scans are redirected, including those of test codes. `off`: the code is paused or a draft. `suspended`: stopped for safety by the operator, a blocked host or a blocklist, or because the account is suspended. `held`: the account must confirm its email address first.',
    ),
    since: Type.Union([timestamp(), Type.Null()], {
      description: 'When the code was suspended or held, otherwise null.',
    }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the code is suspended, otherwise null.',
    }),
  },
  {
    title: 'Availability',
    additionalProperties: false,
    description: 'Whether the short link currently works, regardless of `status`.',
  },
);

export const QrCode = Type.Object(
  {
    id: qrCodeId(),
    name: Type.String(),
    destination_url: Type.String(),
    short_code: Type.String(),
    short_url: Type.String({
      format: 'uri',
      description:
        'The short link that the image encodes. For test codes it contains /t/ and a tag of your account before the short code.',
    }),
    image_url: Type.String({ format: 'uri', description: 'URL of the public image.' }),
    status: words(statuses, 'Only active codes redirect.'),
    active: Type.Boolean({
      description: '`true` if the status is active, `false` if it is paused or draft.',
    }),
    total_scans: Type.Integer({ minimum: 0, description: 'Number of scans.' }),
    unique_scans: Type.Integer({ minimum: 0, description: 'Number of scans by new visitors.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
    style: QrCodeStyle,
    scannability: Scannability,
    availability: Availability,
  },
  { title: 'QrCode', additionalProperties: false },
);

export const QrCodeListItem = Type.Object(
  {
    id: qrCodeId(),
    name: Type.String(),
    destination_url: Type.String(),
    short_url: Type.String({ format: 'uri' }),
    status: words(statuses),
    total_scans: Type.Integer({ minimum: 0 }),
    created_at: timestamp(),
  },
  { title: 'QrCodeListItem', additionalProperties: false },
);

export const ListQrCodesQuery = Type.Object({
  ...pageQuery({ defaultLimit: 20, maxLimit: 100 }),
  status: Type.Optional(words(statuses, 'Return only codes with this status.')),
});

export const QrCodeList = Type.Object(
  { data: Type.Array(QrCodeListItem), pagination: Pagination },
  { title: 'QrCodeList', additionalProperties: false },
);

export const DeletedQrCode = Type.Object(
  { deleted: Type.Literal(true), id: qrCodeId() },
  { title: 'DeletedQrCode', additionalProperties: false },
);

/** The items are checked one by one by `CreateQrCode`, so that a bad one fails alone. */
export const BulkCreateQrCodes = Type.Object(
  {
    items: Type.Array(CreateQrCode, { minItems: 1, maxItems: 500 }),
    atomic: Type.Optional(
      Type.Boolean({
        description: 'If `true`, no code is created unless every item is valid. Defaults to false.',
      }),
    ),
  },
  { title: 'BulkCreateQrCodes', additionalProperties: false },
);

const index = () => Type.Integer({ minimum: 0, description: 'Position in `items`, counted from 0.' });

export const BulkCreated = Type.Object(
  { index: index(), status: Type.Literal('created'), qr_code: QrCode },
  { title: 'BulkCreated', additionalProperties: false },
);

export const BulkFailed = Type.Object(
  { index: index(), status: Type.Literal('failed'), error: ErrorDetail },
  { title: 'BulkFailed', additionalProperties: false },
);

const BulkItem = Type.Union([BulkCreated, BulkFailed], {
  title: 'BulkItem',
  'x-discriminator': 'status',
  description: 'The outcome of one item. `status` distinguishes the two.',
});

export const BulkResult = Type.Object(
  {
    created: Type.Integer({ minimum: 0, description: 'Number of codes created.' }),
    failed: Type.Integer({ minimum: 0, description: 'Number of items that failed.' }),
    data: Type.Array(BulkItem, { description: 'One entry per item, in the order of the items.' }),
  },
  { title: 'BulkResult', additionalProperties: false },
);

export type StyleBody = Type.Static<typeof StyleBody>;
export type CreateQrCode = Type.Static<typeof CreateQrCode>;
export type UpdateQrCode = Type.Static<typeof UpdateQrCode>;
export type QrCode = Type.Static<typeof QrCode>;
export type QrCodeListItem = Type.Static<typeof QrCodeListItem>;
export type ListQrCodesQuery = Type.Static<typeof ListQrCodesQuery>;
export type QrCodeList = Type.Static<typeof QrCodeList>;
export type DeletedQrCode = Type.Static<typeof DeletedQrCode>;
export type BulkCreateQrCodes = Type.Static<typeof BulkCreateQrCodes>;
export type BulkResult = Type.Static<typeof BulkResult>;
