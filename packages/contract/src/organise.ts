import Type from 'typebox';
import { domainHost } from './domains.ts';
import { momentForm, momentPattern } from './moments.ts';
import { availabilityStates, maxMetadataKeys, maxTagsOfCode, tagColors } from './values.ts';
import { words } from './words.ts';

/** Well-formed text on one line: no control character and no lone surrogate. */
const line = '[^\\u0000-\\u001F\\u007F-\\u009F\\uD800-\\uDFFF]';
/** Well-formed text that PostgreSQL can hold. */
const text = '[^\\u0000\\uD800-\\uDFFF]';

export const TagName = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: `^${line}*$`,
  'x-visible': true,
  'x-form': '1 to 50 characters on one line, and not only white space or invisible characters',
  description:
    'Name of a tag. White space around it is removed. Names that differ only in case are the same tag, spelled as it was first.',
});

export const Tags = Type.Array(TagName, {
  maxItems: maxTagsOfCode,
  description: `Names of tags, at most ${maxTagsOfCode}. Tags that do not exist yet are created. An update replaces all tags of the code.`,
});

export const Note = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 2000,
  pattern: `^${text}*$`,
  'x-form': 'at most 2,000 characters of well-formed text, or null',
  description: 'A note for yourself, at most 2,000 characters. Scanners never see it.',
});

export const ExternalId = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  minLength: 1,
  maxLength: 255,
  pattern: `^${line}*$`,
  'x-visible': true,
  'x-form': '1 to 255 characters on one line, and not only white space or invisible characters, or null',
  description:
    'Id of the code in your own system, unique within your account and mode. Use it in paths as `ext:<external_id>`. Paths end up in logs, so use an opaque id. It is available again once the code is deleted.',
});

const metadataValue = {
  maxLength: 500,
  pattern: `^${text}*$`,
  'x-form': 'at most 500 characters of well-formed text',
};

const keyForm = '1 to 40 letters, digits, _, . or -';
const metadataKeys = {
  maxProperties: maxMetadataKeys,
  propertyNames: { pattern: '^[A-Za-z0-9_.-]{1,40}$', 'x-form': keyForm },
};

export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  ...metadataKeys,
  additionalProperties: { type: 'string', ...metadataValue },
  description: `Texts by key, for your own programs: at most ${maxMetadataKeys} keys of ${keyForm}, and values of at most 500 characters.`,
});

export const MetadataChange = Type.Unsafe<Record<string, string | null> | null>({
  type: ['object', 'null'],
  ...metadataKeys,
  additionalProperties: { type: ['string', 'null'], ...metadataValue },
  description: `Texts by key. An update sets the keys that it names and leaves the others; a key with null is removed, and null instead of an object removes all. A code has at most ${maxMetadataKeys} keys.`,
});

const moment = (description: string) =>
  Type.Optional(Type.String({ pattern: momentPattern, 'x-form': momentForm, description }));

/** What a list of codes is filtered by, besides the status. */
export const codeFilters = {
  archived: Type.Optional(
    Type.Boolean({
      description:
        '`true`: only archived codes, `false`: only the others, which is the default. Codes that `ids`, `external_id` or `short_code` name are found in both cases unless you say.',
    }),
  ),
  ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 100,
      description:
        'Return only the codes with these ids, at most 100. In a query, repeat the parameter. An id that no code has is left out.',
    }),
  ),
  tag: Type.Optional(
    Type.Array(TagName, {
      maxItems: maxTagsOfCode,
      description:
        'Return only codes that have this tag. Repeat it to ask for several: a code must have all of them.',
    }),
  ),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: `^${text}*$`,
      'x-form': '1 to 100 characters of well-formed text',
      description:
        'Text to find in the name, short code, destination, external id or tags, ignoring case. Of a destination, the first 200 characters are searched; of the tags that contain the text, the 50 with the most codes.',
    }),
  ),
  external_id: Type.Optional(
    Type.String({
      maxLength: 255,
      pattern: `^${text}*$`,
      'x-form': 'at most 255 characters of well-formed text',
      description: 'Return only the code with this external id.',
    }),
  ),
  short_code: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: `^${text}*$`,
      'x-form': 'at most 64 characters of well-formed text',
      description: 'Return only the code with this short code, ignoring case.',
    }),
  ),
  destination_host: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      pattern: `^${line}*$`,
      'x-form': 'a host such as www.example.com',
      description: 'Return only codes whose destination has exactly this host, such as www.example.com.',
    }),
  ),
  domain: Type.Optional(
    domainHost(
      'Return only codes on this domain, such as go.example.com. Repeated short codes are told apart by it.',
    ),
  ),
  metadata: Type.Optional(
    Type.Array(
      Type.String({
        maxLength: 541,
        pattern: `^[A-Za-z0-9_.-]{1,40}:${text}*$`,
        'x-form': 'a key, a colon and its text, such as branch:berlin',
      }),
      {
        maxItems: maxMetadataKeys,
        description:
          'Return only codes that have this text under this key of `metadata`, such as `branch:berlin`. The text is compared exactly. Repeat it to ask for several: a code must have all of them.',
      },
    ),
  ),
  availability: Type.Optional(
    words(
      availabilityStates,
      'Return only codes whose short link is in this state at the moment, as `availability.state` of a code says.',
    ),
  ),
  created_from: moment('Return only codes created from this day or moment on. Days are in UTC.'),
  created_to: moment('Return only codes created up to this day or moment, inclusive.'),
};

export const Tag = Type.Object(
  {
    name: Type.String(),
    color: words(tagColors),
    qr_codes: Type.Integer({ minimum: 0, description: 'Number of codes that have this tag.' }),
  },
  { title: 'Tag', additionalProperties: false },
);

export const TagList = Type.Object(
  { data: Type.Array(Tag, { description: 'In alphabetical order.' }) },
  { title: 'TagList', additionalProperties: false },
);

export const UpdateTag = Type.Object(
  {
    name: Type.Optional(TagName),
    color: Type.Optional(words(tagColors, 'Color of the tag in the dashboard.')),
  },
  { title: 'UpdateTag', additionalProperties: false, description: 'The fields to change.' },
);

export const DeletedTag = Type.Object(
  { deleted: Type.Literal(true), name: Type.String() },
  { title: 'DeletedTag', additionalProperties: false },
);

export type Tag = Type.Static<typeof Tag>;
