import Type from 'typebox';
import { OwnSuspension } from './abuse.ts';
import { modeWords } from './modes.ts';
import { Pagination, pageQuery } from './pages.ts';
import { Availability, QrCodeListItem, statuses } from './qrcodes.ts';
import { GivenPassword, PersonName, User } from './users.ts';
import { words } from './words.ts';

/** What the dashboard shows of an account, besides what the API tells. */

const timestamp = () => Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });
const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const Me = Type.Object(
  {
    user: User,
    account: Type.Object(
      {
        id: Type.String({ description: 'acct_…' }),
        name: Type.String(),
        plan: Type.String(),
        requests_per_minute: Type.Integer(),
        code_quota: nullable(Type.Integer({ description: 'null: no limit.' })),
        quota_scope: words(['api', 'pool'], 'Whether only codes made by API count, or all live codes.'),
        codes_used: Type.Integer({ description: 'Live codes that count against the quota.' }),
        session_codes: nullable(
          Type.Integer({
            description: 'Live codes that people may make in the dashboard; null: no such limit.',
          }),
        ),
        session_codes_used: Type.Integer({ description: 'Live codes that were made in the dashboard.' }),
        test_codes: nullable(Type.Integer({ description: 'Codes of test mode; null: no limit.' })),
        test_codes_used: Type.Integer({ description: 'Codes of test mode, however they were made.' }),
        creations_per_minute: nullable(
          Type.Integer({
            description: 'Codes that may be made in any minute, in each mode; null: no limit.',
          }),
        ),
        webhooks: Type.Boolean({ description: 'Whether the plan has webhooks.' }),
        test_short_base_url: Type.String({ description: 'What short links of test codes begin with.' }),
        suspension: nullable(OwnSuspension),
        held: Type.Boolean({ description: 'Links wait until the e-mail address is confirmed.' }),
      },
      { additionalProperties: false },
    ),
    service: Type.Object(
      {
        public_url: Type.String(),
        short_base_url: Type.String({ description: 'What short links of live codes begin with.' }),
        min_chosen_code: Type.Integer({
          description: 'The least length of a short code that somebody chooses.',
        }),
        version: Type.String(),
        sends_mail: Type.Boolean({
          description: 'Whether mail is set up; only then are addresses confirmed.',
        }),
        visitor_window: words(['month', 'day'], 'How long a visitor counts once.'),
        attribution: nullable(
          Type.Object(
            { text: Type.String(), url: Type.String() },
            {
              additionalProperties: false,
              description: 'To be shown with every place; null where the operator brings own data.',
            },
          ),
        ),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'Me', additionalProperties: false },
);

export const UpdateMe = Type.Object({ name: PersonName }, { title: 'UpdateMe', additionalProperties: false });

const keyFields = {
  id: Type.String({ description: 'key_…' }),
  name: Type.String(),
  mode: words(modeWords),
  prefix: Type.String({ description: 'sk_live_ or sk_test_.' }),
  last_four: Type.String(),
  created_at: timestamp(),
  last_used_at: nullable(timestamp()),
};

export const ApiKey = Type.Object(keyFields, { title: 'ApiKey', additionalProperties: false });

export const NewApiKey = Type.Object(
  { ...keyFields, key: Type.String({ description: 'The key itself. It is shown this once.' }) },
  { title: 'NewApiKey', additionalProperties: false },
);

export const ApiKeyList = Type.Object(
  { data: Type.Array(ApiKey, { description: 'Newest first; revoked keys are not shown.' }) },
  { title: 'ApiKeyList', additionalProperties: false },
);

export const CreateApiKey = Type.Object(
  {
    name: Type.String({ ...PersonName, description: 'What the key is for.' }),
    mode: words(modeWords, 'Which world the key opens.'),
    current_password: Type.String({
      ...GivenPassword,
      description: 'The user’s password, asked again: a key outlives the session that made it.',
    }),
  },
  { title: 'CreateApiKey', additionalProperties: false },
);

export const RevokedApiKey = Type.Object(
  { revoked: Type.Literal(true), id: Type.String() },
  { title: 'RevokedApiKey', additionalProperties: false },
);

export const sorts = ['created', 'name', 'scans'] as const;

export const BrowseQuery = Type.Object({
  ...pageQuery({ defaultLimit: 20, maxLimit: 100 }),
  status: Type.Optional(words(statuses, 'Only codes of this status.')),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
      'x-form': '1 to 100 characters of well-formed text',
      description:
        'In name, short code and destination, without regard to case. Looks through the newest 1,000 matches.',
    }),
  ),
  sort: Type.Optional(
    words(sorts, 'created: newest first; scans: most first, name: A to Z, both among the newest 10,000.'),
  ),
});

export const BrowseItem = Type.Object(
  {
    ...QrCodeListItem.properties,
    short_code: Type.String(),
    image_url: Type.String({ format: 'uri' }),
    unique_scans: Type.Integer({ minimum: 0 }),
    updated_at: timestamp(),
    availability: Availability,
    sparkline: nullable(
      Type.Array(Type.Integer({ minimum: 0 }), {
        description: 'Scans of the last 14 days in UTC, today last; null while analytics cannot be reached.',
      }),
    ),
  },
  { title: 'BrowseItem', additionalProperties: false },
);

export const BrowseList = Type.Object(
  { data: Type.Array(BrowseItem), pagination: Pagination },
  { title: 'BrowseList', additionalProperties: false },
);

export const editFields = ['created', 'name', 'destination_url', 'status'] as const;

export const Edit = Type.Object(
  {
    id: Type.String(),
    at: timestamp(),
    by: Type.Object(
      {
        kind: words(
          ['user', 'key', 'operator', 'unknown'],
          'operator: whoever runs the service. unknown: made before edits were recorded.',
        ),
        name: Type.String({ description: 'Of the user, or of the key with its last four characters.' }),
      },
      { additionalProperties: false },
    ),
    field: words(editFields),
    from: nullable(Type.String()),
    to: nullable(Type.String()),
  },
  { title: 'Edit', additionalProperties: false },
);

export const HistoryQuery = Type.Object(pageQuery({ defaultLimit: 20, maxLimit: 100 }));

export const History = Type.Object(
  {
    data: Type.Array(Edit, { description: 'Newest first. The last is the making of the code.' }),
    pagination: Pagination,
  },
  { title: 'History', additionalProperties: false },
);

export const LiveQuery = Type.Object({
  qr_id: Type.Optional(Type.String({ maxLength: 64, description: 'Only scans of this code.' })),
  mode: Type.Optional(words(modeWords, 'As the header X-Signpost-Mode, which an EventSource cannot send.')),
  last_event_id: Type.Optional(
    Type.String({
      maxLength: 4096,
      description: 'As the header Last-Event-ID, for a page that starts anew.',
    }),
  ),
});

/** The data of an event `scan` on the live stream. */
export const LiveScan = Type.Object(
  {
    id: Type.String({ description: 'scan_…' }),
    qr_id: Type.String(),
    timestamp: timestamp(),
    country: Type.String(),
    region: Type.String(),
    city: Type.String(),
    device: Type.String(),
    browser: Type.String(),
    is_unique: Type.Boolean(),
  },
  { title: 'LiveScan', additionalProperties: false },
);

export type Me = Type.Static<typeof Me>;
export type ApiKeyItem = Type.Static<typeof ApiKey>;
export type NewApiKey = Type.Static<typeof NewApiKey>;
export type BrowseQuery = Type.Static<typeof BrowseQuery>;
export type BrowseItem = Type.Static<typeof BrowseItem>;
export type BrowseList = Type.Static<typeof BrowseList>;
export type Edit = Type.Static<typeof Edit>;
export type History = Type.Static<typeof History>;
export type LiveScan = Type.Static<typeof LiveScan>;
