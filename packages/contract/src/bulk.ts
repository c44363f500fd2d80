import Type from 'typebox';
import { ErrorDetail } from './errors.ts';
import { codeFilters, MetadataChange, Note, TagName } from './organise.ts';
import { codeIds, QrCode, qrCodeId } from './qrcodes.ts';
import { DestinationUrl } from './urls.ts';
import { maxTagsOfCode, statuses } from './values.ts';
import { words } from './words.ts';

/** Codes that one call may change. */
export const maxBulkCodes = 500;

const ids = codeIds(
  maxBulkCodes,
  `Ids of codes, or \`ext:\` and their external ids; at most ${maxBulkCodes}.`,
);
const qrIds = { ...ids, description: 'Alias of ids.' };

const expectedCount = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description });

const dryRun = Type.Optional(
  Type.Boolean({
    description: 'If `true`, returns what would happen and changes nothing. Defaults to false.',
  }),
);

const BulkFilter = Type.Object(
  { status: Type.Optional(words(statuses, 'Only codes with this status.')), ...codeFilters },
  { title: 'BulkFilter', additionalProperties: false, description: 'Filters as in the list of codes.' },
);

const DestinationReplace = Type.Object(
  {
    find: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F\\uD800-\\uDFFF]*$',
      'x-form': '1 to 500 characters on one line',
      description: 'Text to find, with regard to case.',
    }),
    replace: Type.String({
      maxLength: 500,
      pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F\\uD800-\\uDFFF]*$',
      'x-form': 'at most 500 characters on one line',
      description: 'Text to put in its place. Empty removes what was found.',
    }),
  },
  {
    title: 'DestinationReplace',
    additionalProperties: false,
    description:
      'Replaces a text wherever it occurs in the destination. A destination without it stays as it is. Not together with `destination_url`.',
  },
);

const BulkChange = Type.Object(
  {
    active: Type.Optional(
      Type.Boolean({ description: '`true` resumes or publishes codes, `false` pauses them.' }),
    ),
    archived: Type.Optional(
      Type.Boolean({ description: '`true` hides codes from lists, `false` shows them again.' }),
    ),
    destination_url: Type.Optional(DestinationUrl),
    destination_replace: Type.Optional(DestinationReplace),
    tags_add: Type.Optional(Type.Array(TagName, { maxItems: maxTagsOfCode, description: 'Tags to add.' })),
    tags_remove: Type.Optional(
      Type.Array(TagName, { maxItems: maxTagsOfCode, description: 'Tags to remove.' }),
    ),
    note: Type.Optional(Note),
    metadata: Type.Optional(MetadataChange),
  },
  {
    title: 'BulkChange',
    additionalProperties: false,
    minProperties: 1,
    description: 'What to change in each code.',
  },
);

export const BulkEditQrCodes = Type.Object(
  {
    ids: Type.Optional(ids),
    qr_ids: Type.Optional(qrIds),
    filter: Type.Optional(BulkFilter),
    expected_count: Type.Optional(
      expectedCount(
        'How many codes you expect to match. If another number matches, nothing is changed. Required with `filter`.',
      ),
    ),
    set: BulkChange,
    dry_run: dryRun,
  },
  {
    title: 'BulkEditQrCodes',
    additionalProperties: false,
    anyOf: [{ required: ['ids'] }, { required: ['qr_ids'] }, { required: ['filter', 'expected_count'] }],
  },
);

export const BulkDeleteQrCodes = Type.Object(
  {
    ids: Type.Optional(ids),
    qr_ids: Type.Optional(qrIds),
    expected_count: expectedCount(
      'How many of these codes you expect to exist. If another number does, nothing is deleted.',
    ),
    dry_run: dryRun,
  },
  {
    title: 'BulkDeleteQrCodes',
    additionalProperties: false,
    anyOf: [{ required: ['ids'] }, { required: ['qr_ids'] }],
  },
);

const index = () =>
  Type.Integer({ minimum: 0, description: 'Position in `ids` or among the matches, counted from 0.' });
const failed = { index: index(), status: Type.Literal('failed'), id: Type.String(), error: ErrorDetail };

export const BulkUpdated = Type.Object(
  { index: index(), status: Type.Literal('updated'), qr_code: QrCode },
  { title: 'BulkUpdated', additionalProperties: false },
);

export const BulkDeleted = Type.Object(
  { index: index(), status: Type.Literal('deleted'), id: qrCodeId() },
  { title: 'BulkDeleted', additionalProperties: false },
);

export const BulkCodeFailed = Type.Object(failed, { title: 'BulkCodeFailed', additionalProperties: false });

const itemOf = <Done extends Type.TSchema>(done: Done, title: string) =>
  Type.Union([done, BulkCodeFailed], {
    title,
    'x-discriminator': 'status',
    description: 'The outcome of one code. `status` distinguishes the two.',
  });

const count = (description: string) => Type.Integer({ minimum: 0, description });
const isDryRun = Type.Boolean({ description: 'Whether nothing was changed because `dry_run` was set.' });

export const BulkEditResult = Type.Object(
  {
    dry_run: isDryRun,
    updated: count('Number of codes changed.'),
    failed: count('Number of codes that could not be changed.'),
    data: Type.Array(itemOf(BulkUpdated, 'BulkEditItem'), {
      description: 'One entry per code: in the order of `ids`, or the newest first.',
    }),
  },
  { title: 'BulkEditResult', additionalProperties: false },
);

export const BulkDeleteResult = Type.Object(
  {
    dry_run: isDryRun,
    deleted: count('Number of codes deleted.'),
    failed: count('Number of ids that no code has.'),
    data: Type.Array(itemOf(BulkDeleted, 'BulkDeleteItem'), {
      description: 'One entry per id, in the order of `ids`.',
    }),
  },
  { title: 'BulkDeleteResult', additionalProperties: false },
);

export type BulkDeleteQrCodes = Type.Static<typeof BulkDeleteQrCodes>;
export type BulkEditQrCodes = Type.Static<typeof BulkEditQrCodes>;
