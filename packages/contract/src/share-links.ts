import Type from 'typebox';
import { TagName } from './organise.ts';
import { shareSections } from './values.ts';
import { words } from './words.ts';

const strict = { additionalProperties: false };

const id = () =>
  Type.String({ pattern: '^shr_[0-9a-hjkmnp-tv-z]{26}$', 'x-form': 'an id that looks like shr_…' });
const day = (description: string) =>
  Type.String({
    pattern: '^(19[7-9]\\d|20\\d\\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
    'x-form': 'a day such as 2026-11-15',
    description,
  });
const orNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** Days that a period that moves on may have. */
const maxDays = 366;

const wanted = {
  title: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F\\uD800-\\uDFFF]*$',
      'x-visible': true,
      'x-form': '1 to 100 characters on one line, and not only white space or invisible characters',
      description: 'Heading of the page. Left out: the name of the code, the tag or the account.',
    }),
  ),
  sections: Type.Optional(
    Type.Array(words(shareSections), {
      minItems: 1,
      maxItems: shareSections.length,
      uniqueItems: true,
      description:
        'What the page shows besides the totals: `chart`, `map` (countries and cities), `placements` and `destinations` of a code, or `codes` (the names of the codes with the most scans) of a tag or the account. Defaults to `chart` and `map`.',
    }),
  ),
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxDays,
      description: 'The page shows the last days, including today. Defaults to 30, without `start_date`.',
    }),
  ),
  start_date: Type.Optional(day('First day of the page, in place of `days`.')),
  end_date: Type.Optional(day('Last day of the page, with `start_date`. Left out: today.')),
  timezone: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$',
      'x-form': 'an IANA time zone such as Europe/Berlin',
      description: 'IANA time zone that determines when days start and end. Defaults to UTC.',
    }),
  ),
  expires_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When the link ends, in the future. Left out: when it is revoked.',
    }),
  ),
};

export const CreateQrCodeShareLink = Type.Object(wanted, { title: 'CreateQrCodeShareLink', ...strict });

export const CreateShareLink = Type.Object(
  {
    tag: Type.Optional(
      Type.String({ ...TagName, description: 'Share the figures of this tag. Left out: of all codes.' }),
    ),
    ...wanted,
  },
  { title: 'CreateShareLink', ...strict },
);

const shareLink = {
  id: id(),
  qr_id: orNull(Type.String(), 'The code whose figures are shared; null for a tag and for the account.'),
  tag: orNull(Type.String(), 'The tag whose figures are shared, or null.'),
  title: orNull(Type.String(), 'Heading of the page, or null: the name of what is shared.'),
  sections: Type.Array(words(shareSections)),
  days: orNull(Type.Integer(), 'Length of a period that moves on, or null.'),
  start_date: orNull(Type.String(), 'First day, or null with `days`.'),
  end_date: orNull(Type.String(), 'Last day, or null: today.'),
  timezone: Type.String(),
  expires_at: orNull(Type.String({ format: 'date-time' }), 'When the link ends, or null. ISO 8601, UTC.'),
  expired: Type.Boolean({ description: 'Whether it has ended.' }),
  last_four: Type.String({ description: 'The last four characters of the link, to tell links apart.' }),
  created_at: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
};

export const ShareLink = Type.Object(shareLink, { title: 'ShareLink', ...strict });

export const NewShareLink = Type.Object(
  {
    ...shareLink,
    url: Type.String({ format: 'uri', description: 'The link. Only this response shows it.' }),
  },
  { title: 'NewShareLink', ...strict },
);

export const ListShareLinksQuery = Type.Object({
  qr_id: Type.Optional(
    Type.String({ description: 'Return only links of this code: its id, or `ext:` and its external id.' }),
  ),
  tag: Type.Optional(Type.String({ ...TagName, description: 'Return only links of this tag.' })),
});

export const ShareLinkList = Type.Object(
  { data: Type.Array(ShareLink, { description: 'The newest first. At most 100.' }) },
  { title: 'ShareLinkList', ...strict },
);

export const RevokedShareLink = Type.Object(
  { revoked: Type.Literal(true), id: id() },
  { title: 'RevokedShareLink', ...strict },
);

export type ShareLink = Type.Static<typeof ShareLink>;
export type NewShareLink = Type.Static<typeof NewShareLink>;
