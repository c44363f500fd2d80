import { gradeLevels } from '@signpost/qr';
import Type from 'typebox';
import { domainHost } from './domains.ts';
import { ErrorDetail } from './errors.ts';
import { designId } from './images.ts';
import { codeFilters, ExternalId, Metadata, MetadataChange, Note, Tags } from './organise.ts';
import { Pagination, pageQuery } from './pages.ts';
import { Placement } from './placements.ts';
import { Rule, routed, routingBody } from './rules.ts';
import { QrCodeStyle, StyleBody } from './styles.ts';
import { DestinationUrl } from './urls.ts';
import {
  availabilityStates,
  listIncludes,
  listSorts,
  shortCodeLength,
  shortCodePattern,
  statuses,
} from './values.ts';
import { words } from './words.ts';

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
    'Slug of the short link: letters, digits, `-` and `_`, starting and ending with a letter or digit. Unique on its domain, ignoring case. A short code of a live code is never given to another account; `reclaim` uses one again that you deleted. A short code of a test code is unique within your account and available again once the code is deleted.',
});

const newCode = {
  name: Name,
  destination_url: Type.Optional(DestinationUrl),
  short_code: Type.Optional(ShortCode),
  domain: Type.Optional(
    Type.Union(
      [
        domainHost(
          'Host of one of your active domains: the short link is on it. Left out or null: the host of the service. It cannot change later, and short codes are unique per domain. Live codes only.',
        ),
        Type.Null(),
      ],
      { description: 'Host of one of your active domains, or null for the host of the service.' },
    ),
  ),
  style: Type.Optional(StyleBody),
  design_id: Type.Optional(
    designId(
      'Id of a design whose style is copied into the code. Fields in `style` take precedence. Later changes to the design do not affect the code.',
    ),
  ),
  status: Type.Optional(
    words(
      statuses,
      'A draft does not redirect until it is activated, a paused code until it is resumed. Defaults to active.',
    ),
  ),
  reclaim: Type.Optional(
    Type.Boolean({
      description:
        'Use `short_code` again if it belonged to a code that your account has deleted: printed copies then lead to this new code, which starts with no scans. Not where the deleted code was suspended, within 90 days, or reported and not yet looked at.',
    }),
  ),
  type: Type.Optional(words(['url'], 'Accepted for compatibility. Always url.')),
  destination: Type.Optional(Type.String({ ...DestinationUrl, description: 'Alias of destination_url.' })),
  tags: Type.Optional(Tags),
  note: Type.Optional(Note),
  ...routingBody,
};

const oneDestination = [{ required: ['destination_url'] }, { required: ['destination'] }];

/** Fields of responses, for those who send one back as a new code. */
const setByService = Object.fromEntries(
  [
    'id',
    'short_url',
    'image_url',
    'total_scans',
    'unique_scans',
    'created_at',
    'updated_at',
    'scannability',
    'availability',
    'revision',
    'warnings',
  ].map(name => [name, `${name} is read-only: the service sets it. Leave it out.`]),
);

/** What a new code cannot be given. */
const notOfNewCode = {
  ...setByService,
  archived: 'A new code is not archived. Update it with archived: true afterwards.',
  placements: 'Placements are added to the code afterwards, by calls of their own. Leave them out.',
  active: 'A new code is active. For one that does not redirect yet, send status: draft or status: paused.',
};

export const CreateQrCode = Type.Object(
  {
    ...newCode,
    external_id: Type.Optional(ExternalId),
    metadata: Type.Optional(Metadata),
  },
  { title: 'CreateQrCode', additionalProperties: false, anyOf: oneDestination, 'x-fixed': notOfNewCode },
);

export const UpsertQrCode = Type.Object(
  { ...newCode, metadata: Type.Optional(MetadataChange) },
  {
    title: 'UpsertQrCode',
    additionalProperties: false,
    anyOf: oneDestination,
    'x-fixed': { ...notOfNewCode, external_id: 'The external id is in the path. Leave it out of the body.' },
  },
);

/** What a read returns and an update does not set: ignored, since it changes by itself. */
export const ignoredFields = [
  'total_scans',
  'unique_scans',
  'updated_at',
  'revision',
  'availability',
  'scannability',
  'suspension',
  'not_redirected',
  'used_up_at',
  'warnings',
] as const;

/** What a read returns and an update refuses to change, each with what to do instead. */
export const fixedFields = {
  id: 'The id is read-only.',
  short_code: 'The short code cannot change after creation. Create a new code with the short code you want.',
  short_url: 'short_url is read-only: it follows from the short code.',
  image_url: 'image_url is read-only.',
  style: 'The style cannot change after creation. Create a new code with the style you want.',
  domain: 'The domain cannot change after creation. Create a new code on the domain you want.',
  created_at: 'created_at is read-only.',
  placements: 'Placements are read-only here. Change them one by one under /placements.',
  status:
    'The status follows from active: send active: false to pause, active: true to resume or to publish a draft.',
} as const;

const readOnly = <Name extends string>(names: readonly Name[], description: string) =>
  Object.fromEntries(names.map(name => [name, Type.Optional(Type.Unknown({ description }))])) as {
    [_ in Name]: Type.TOptional<Type.TUnknown>;
  };

export const UpdateQrCode = Type.Object(
  {
    name: Type.Optional(Name),
    destination_url: Type.Optional(DestinationUrl),
    active: Type.Optional(
      Type.Boolean({
        description: '`true` resumes a paused code or publishes a draft; `false` pauses the code.',
      }),
    ),
    archived: Type.Optional(
      Type.Boolean({
        description:
          '`true` hides the code from lists; its link keeps working and counting. `false` shows it again.',
      }),
    ),
    tags: Type.Optional(Tags),
    note: Type.Optional(Note),
    external_id: Type.Optional(ExternalId),
    metadata: Type.Optional(MetadataChange),
    ...routingBody,
    ...readOnly(ignoredFields, 'Read-only, and ignored: a code can be sent back as it was read.'),
    ...readOnly(
      Object.keys(fixedFields) as (keyof typeof fixedFields)[],
      'Read-only: a code can be sent back as it was read, and another value is refused.',
    ),
  },
  {
    title: 'UpdateQrCode',
    additionalProperties: false,
    description: 'The fields to change, or the whole code as it was read, with changes.',
  },
);

export const Scannability = Type.Object(
  {
    level: words(gradeLevels, 'How reliably codes with this style scan.'),
    reasons: Type.Array(Type.String(), {
      description: 'Human-readable reasons why the code may be hard to scan. Empty if there are none.',
    }),
    logo: Type.Optional(
      Type.Object(
        {
          modules: Type.Integer({ description: 'Width of the space for the logo, in modules.' }),
          of: Type.Integer({ description: 'Width of the code, in modules.' }),
          used: Type.Number({
            description:
              'Share of the error correction that the logo uses in the block that it affects most.',
          }),
          budget: Type.Number({ description: 'Share of the error correction that a logo may use.' }),
        },
        {
          title: 'LogoScannability',
          additionalProperties: false,
          description: 'What the logo costs. Only for codes with a logo.',
        },
      ),
    ),
  },
  { title: 'Scannability', additionalProperties: false },
);

const timestamp = () => Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });
export const qrCodeId = () =>
  Type.String({ pattern: '^qr_[0-9a-hjkmnp-tv-z]{26}$', 'x-form': 'an id that looks like qr_…' });

/** `ext:` and the longest external id. */
const maxCodeName = 4 + 255;

/** Codes in a request: by their ids, or by `ext:` and their external ids. */
export const codeIds = (maxItems: number, description: string) =>
  Type.Array(Type.String({ maxLength: maxCodeName }), { minItems: 1, maxItems, description });

export const Availability = Type.Object(
  {
    state: words(
      availabilityStates,
      '`live`: scans are redirected, including those of test codes. `off`: the code is paused or a draft. `suspended`: stopped for safety by the operator, a blocked host or a blocklist, or because the account is suspended. `held`: the account must confirm its email address first. `scheduled`: starts_at is in the future. `ended`: expires_at is past. `used_up`: the code has max_scans.',
    ),
    since: Type.Union([timestamp(), Type.Null()], {
      description: 'When the code was suspended, held or used up, or when it ended. Otherwise null.',
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

/** What owners organise their codes by, in responses. */
export const organised = {
  tags: Type.Array(Type.String(), { description: 'Names of its tags, in alphabetical order.' }),
  note: Type.Union([Type.String(), Type.Null()]),
  external_id: Type.Union([Type.String(), Type.Null()]),
  metadata: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
  }),
};

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
    domain: Type.Union([Type.String(), Type.Null()], {
      description: 'Host of the domain that the short link is on. Null: the host of the service.',
    }),
    image_url: Type.String({ format: 'uri', description: 'URL of the public image.' }),
    status: words(statuses, 'Only active codes redirect.'),
    active: Type.Boolean({
      description: '`true` if the status is active, `false` if it is paused or draft.',
    }),
    archived: Type.Boolean({
      description: 'Whether lists leave the code out. Its link works and counts as before.',
    }),
    total_scans: Type.Integer({ minimum: 0, description: 'Number of scans.' }),
    unique_scans: Type.Integer({ minimum: 0, description: 'Number of scans by new visitors.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
    style: QrCodeStyle,
    scannability: Scannability,
    availability: Availability,
    ...organised,
    ...routed,
    placements: Type.Array(Placement, { description: 'In the order in which they were added.' }),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Only in the response to a request that creates a code or saves rules. A rule or a value of it that can never match, as in a test of the rules: the rules are saved all the same. Or a compact style, copied from a design, that the link of the code cannot have: its image is the usual one.',
      }),
    ),
  },
  { title: 'QrCode', additionalProperties: false },
);

const onRequest = 'Only if `include` names it.';

export const QrCodeListItem = Type.Object(
  {
    id: qrCodeId(),
    name: Type.String(),
    destination_url: Type.String(),
    short_url: Type.String({ format: 'uri' }),
    status: words(statuses),
    total_scans: Type.Integer({ minimum: 0 }),
    created_at: timestamp(),
    short_code: Type.Optional(Type.String({ description: onRequest })),
    domain: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: onRequest })),
    archived: Type.Optional(Type.Boolean({ description: onRequest })),
    tags: Type.Optional(Type.Array(Type.String(), { description: onRequest })),
    note: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: onRequest })),
    external_id: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: onRequest })),
    metadata: Type.Optional(
      Type.Unsafe<Record<string, string>>({ ...organised.metadata, description: onRequest }),
    ),
    unique_scans: Type.Optional(Type.Integer({ minimum: 0, description: onRequest })),
    updated_at: Type.Optional(Type.String({ format: 'date-time', description: onRequest })),
    availability: Type.Optional(Availability),
    style: Type.Optional(QrCodeStyle),
    rules: Type.Optional(Type.Array(Rule, { description: onRequest })),
    placements: Type.Optional(Type.Array(Placement, { description: onRequest })),
  },
  { title: 'QrCodeListItem', additionalProperties: false },
);

const oneInclude = `(${listIncludes.join('|')})`;

export const ListQrCodesQuery = Type.Object({
  ...pageQuery({ defaultLimit: 20, maxLimit: 100 }),
  status: Type.Optional(words(statuses, 'Return only codes with this status.')),
  ...codeFilters,
  sort: Type.Optional(
    words(
      listSorts,
      'Order of the codes, descending with a minus. Defaults to -created, the newest first. By name and by scans, the newest 10,000 matches are sorted.',
    ),
  ),
  starting_after: Type.Optional(
    Type.String({
      maxLength: maxCodeName,
      description:
        'Id of a code, or `ext:` and its external id: return the codes that follow it in the list. For sort=created and sort=-created, without page. The code may have been deleted since, if you send its id.',
    }),
  ),
  ending_before: Type.Optional(
    Type.String({
      maxLength: maxCodeName,
      description:
        'Id of a code: return the codes just before it in the list. Otherwise like starting_after.',
    }),
  ),
  include: Type.Optional(
    Type.String({
      pattern: `^${oneInclude}(,${oneInclude})*$`,
      'x-form': `a list of ${listIncludes.join(', ')}, separated by commas`,
      description: `Further fields of each code, separated by commas: ${listIncludes.join(', ')}.`,
    }),
  ),
});

/** A list that may be longer than what is counted. */
export const ListPagination = Type.Object(
  {
    ...Pagination.properties,
    capped: Type.Optional(
      Type.Literal(true, {
        description:
          'Present if more codes match than `total` says. Pages reach the first 1,000 matches, and the newest 10,000 when sorted by name or scans; a page beyond them is 400 `too_many_codes`. Use starting_after to reach the others.',
      }),
    ),
  },
  { title: 'ListPagination', additionalProperties: false },
);

export const QrCodeList = Type.Object(
  { data: Type.Array(QrCodeListItem), pagination: ListPagination },
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
    dry_run: Type.Optional(
      Type.Boolean({
        description:
          'If `true`, returns which items would be created, with status `valid`, and creates nothing. Defaults to false.',
      }),
    ),
  },
  { title: 'BulkCreateQrCodes', additionalProperties: false },
);

export const index = () => Type.Integer({ minimum: 0, description: 'Position in `items`, counted from 0.' });

export const BulkCreated = Type.Object(
  { index: index(), status: Type.Literal('created'), qr_code: QrCode },
  { title: 'BulkCreated', additionalProperties: false },
);

export const BulkFailed = Type.Object(
  { index: index(), status: Type.Literal('failed'), error: ErrorDetail },
  { title: 'BulkFailed', additionalProperties: false },
);

export const BulkValid = Type.Object(
  { index: index(), status: Type.Literal('valid') },
  { title: 'BulkValid', additionalProperties: false },
);

const BulkItem = Type.Union([BulkCreated, BulkValid, BulkFailed], {
  title: 'BulkItem',
  'x-discriminator': 'status',
  description:
    'The outcome of one item. `status` distinguishes them: `valid` is what a dry run would create.',
});

export const BulkResult = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Literal(true, { description: 'Present if nothing was created because `dry_run` was set.' }),
    ),
    created: Type.Integer({
      minimum: 0,
      description: 'Number of codes created, or with `dry_run` of items that would be.',
    }),
    failed: Type.Integer({ minimum: 0, description: 'Number of items that failed.' }),
    data: Type.Array(BulkItem, { description: 'One entry per item, in the order of the items.' }),
  },
  { title: 'BulkResult', additionalProperties: false },
);

export type CreateQrCode = Type.Static<typeof CreateQrCode>;
export type UpdateQrCode = Type.Static<typeof UpdateQrCode>;
export type UpsertQrCode = Type.Static<typeof UpsertQrCode>;
export type QrCode = Type.Static<typeof QrCode>;
export type QrCodeListItem = Type.Static<typeof QrCodeListItem>;
export type ListQrCodesQuery = Type.Static<typeof ListQrCodesQuery>;
export type QrCodeList = Type.Static<typeof QrCodeList>;
export type DeletedQrCode = Type.Static<typeof DeletedQrCode>;
export type BulkCreateQrCodes = Type.Static<typeof BulkCreateQrCodes>;
export type BulkResult = Type.Static<typeof BulkResult>;
