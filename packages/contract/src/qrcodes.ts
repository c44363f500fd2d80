import { colorPattern, cornersDotTypes, cornersSquareTypes, dotsTypes, gradeLevels } from '@signpost/qr';
import Type from 'typebox';
import { ErrorBody } from './errors.ts';
import { Pagination, pageQuery } from './pages.ts';
import { DestinationUrl } from './urls.ts';
import { words } from './words.ts';

export const statuses = ['active', 'paused', 'draft'] as const;

const color = (description: string) =>
  Type.Optional(
    Type.String({ pattern: colorPattern, 'x-form': 'a hex colour such as #1A2B3C', description }),
  );

export const StyleBody = Type.Object(
  {
    dotsType: Type.Optional(words(dotsTypes, 'Shape of the dots. Default square.')),
    dotsColor: color('Default #000000.'),
    backgroundColor: color('Default #FFFFFF.'),
    cornersSquareType: Type.Optional(
      words(cornersSquareTypes, 'Shape of the corner squares. Default square.'),
    ),
    cornersSquareColor: color('Default: as dotsColor.'),
    cornersDotType: Type.Optional(
      words(
        cornersDotTypes,
        'Shape of the centres of the corners. Default dot in a dot corner, else square.',
      ),
    ),
    cornersDotColor: color('Default: as cornersSquareColor.'),
  },
  {
    title: 'Style',
    additionalProperties: false,
    description: 'How the image looks. It cannot change after creation.',
  },
);

/** Text that PostgreSQL can hold and JSON can carry: no NUL and no lone surrogate; and something of it can be seen. */
const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\u0000\\uD800-\\uDFFF]*[^\\s\\u0000\\uD800-\\uDFFF][^\\u0000\\uD800-\\uDFFF]*$',
  'x-visible': true,
  'x-form': '1 to 255 characters of well-formed text, and not only white space or invisible characters',
  description: 'Display name, not only white space or invisible characters.',
});

export const shortCodePattern = '^[A-Za-z0-9][A-Za-z0-9_-]{1,62}[A-Za-z0-9]$';

const ShortCode = Type.String({
  minLength: 3,
  maxLength: 64,
  pattern: shortCodePattern,
  'x-form': '3 to 64 letters, digits, - or _, and begin and end with a letter or digit',
  description:
    'Slug of the short link: letters, digits, - and _, beginning and ending with a letter or digit. Unique without regard to case. That of a live code is never given out twice; that of a test code is unique in your account, and free again when the code is deleted.',
});

export const CreateQrCode = Type.Object(
  {
    name: Name,
    destination_url: Type.Optional(DestinationUrl),
    short_code: Type.Optional(ShortCode),
    style: Type.Optional(StyleBody),
    status: Type.Optional(
      words(['active', 'draft'], 'A draft does not redirect until it is made active. Default active.'),
    ),
    type: Type.Optional(words(['url'], 'Taken for compatibility; only url.')),
    destination: Type.Optional(
      Type.String({ ...DestinationUrl, description: 'Another name for destination_url.' }),
    ),
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
      Type.Boolean({ description: 'true resumes a paused code or publishes a draft; false pauses.' }),
    ),
  },
  {
    title: 'UpdateQrCode',
    additionalProperties: false,
    description: 'Only the fields to change.',
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
    level: words(gradeLevels, 'How well codes of this style scan.'),
    reasons: Type.Array(Type.String(), {
      description: 'What stands in the way, in plain words. Empty when good.',
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
      'live: scans are sent on, also for test codes. off: paused or a draft. suspended: stopped for safety by the operator, a blocked host or a list, or because the account is suspended. held: the account has to confirm its e-mail address first.',
    ),
    since: Type.Union([timestamp(), Type.Null()], { description: 'Of suspended and held; else null.' }),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it is suspended; else null.' }),
  },
  {
    title: 'Availability',
    additionalProperties: false,
    description: 'Whether the short link works, whatever the owner has set in `status`.',
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
        'The link that the image encodes. Of a test code it has /t/ and a tag of your account before the short code.',
    }),
    image_url: Type.String({ format: 'uri', description: 'The public image.' }),
    status: words(statuses, 'active redirects; paused and draft do not.'),
    active: Type.Boolean({ description: 'true for active, false for paused and draft.' }),
    total_scans: Type.Integer({ minimum: 0 }),
    unique_scans: Type.Integer({ minimum: 0 }),
    created_at: timestamp(),
    updated_at: timestamp(),
    style: StyleBody,
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
  status: Type.Optional(words(statuses, 'Only codes of this status.')),
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
    atomic: Type.Optional(Type.Boolean({ description: 'true: one bad item makes nothing. Default false.' })),
  },
  { title: 'BulkCreateQrCodes', additionalProperties: false },
);

export const BulkResult = Type.Object(
  {
    created: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    data: Type.Array(
      Type.Object(
        {
          index: Type.Integer({ minimum: 0 }),
          status: words(['created', 'failed']),
          qr_code: Type.Optional(QrCode),
          error: Type.Optional(Type.Index(ErrorBody, ['error'])),
        },
        { additionalProperties: false },
      ),
      { description: 'One entry an item, in the order of the items.' },
    ),
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
