import Type from 'typebox';
import { maxPlacements, placementKeyPattern } from './values.ts';

const strict = { additionalProperties: false };
const line = '[^\\u0000-\\u001F\\u007F-\\u009F\\uD800-\\uDFFF]';

const name = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: `^${line}*$`,
  'x-visible': true,
  'x-form': '1 to 80 characters on one line, and not only white space or invisible characters',
  description: 'Where the code is printed, such as Window or Table 12.',
});
const note = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 500,
  pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
  'x-form': 'at most 500 characters of well-formed text, or null',
  description: 'A note for yourself.',
});

export const CreatePlacement = Type.Object(
  {
    key: Type.String({
      pattern: placementKeyPattern.replace('a-z0-9', 'A-Za-z0-9'),
      'x-form': '1 to 24 letters, digits or -',
      description:
        'The end of the link that is printed there, after a dot: lower-case letters, digits and `-`. It must not name a file type such as png or html.',
    }),
    name,
    note: Type.Optional(note),
  },
  { title: 'CreatePlacement', ...strict },
);

export const BulkCreatePlacements = Type.Object(
  {
    items: Type.Array(CreatePlacement, {
      minItems: 1,
      maxItems: maxPlacements,
      description: 'The placements, in the order in which they are to be listed.',
    }),
  },
  { title: 'BulkCreatePlacements', ...strict },
);

export const UpdatePlacement = Type.Object(
  { name: Type.Optional(name), note: Type.Optional(note) },
  { title: 'UpdatePlacement', ...strict, description: 'The fields to change.' },
);

export const Placement = Type.Object(
  {
    key: Type.String(),
    name: Type.String(),
    note: Type.Union([Type.String(), Type.Null()]),
    short_url: Type.String({ format: 'uri', description: 'The link to print there.' }),
    created_at: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
  },
  { title: 'Placement', ...strict },
);

export const CreatedPlacements = Type.Object(
  {
    created: Type.Integer({ minimum: 1, description: 'Number of placements that were added.' }),
    data: Type.Array(Placement, { description: 'The new placements, in the order of the request.' }),
  },
  { title: 'CreatedPlacements', ...strict },
);

export const DeletedPlacement = Type.Object(
  { deleted: Type.Literal(true), key: Type.String() },
  { title: 'DeletedPlacement', ...strict },
);

export type CreatePlacement = Type.Static<typeof CreatePlacement>;
export type Placement = Type.Static<typeof Placement>;
