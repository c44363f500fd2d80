import Type from 'typebox';
import { OwnSuspension } from './abuse.ts';
import { OwnAccount, PendingInvitation } from './members.ts';
import { modeWords } from './modes.ts';
import { momentForm, momentPattern } from './moments.ts';
import { codeFilters } from './organise.ts';
import { Pagination, pageQuery } from './pages.ts';
import { keyPermissions, operatorPermission, permissions, roles } from './permissions.ts';
import { Availability, ListPagination, organised, QrCodeListItem } from './qrcodes.ts';
import { QrCodeStyle } from './styles.ts';
import { GivenPassword, LanguageChoice, PersonName, User } from './users.ts';
import { languages, maxAllowedCidrs, sorts, statuses } from './values.ts';
import { words } from './words.ts';

/** What the dashboard shows of an account, besides what the API tells. */

const timestamp = () => Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });
const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const CurrentAccount = Type.Object(
  {
    id: Type.String({ description: 'acct_…' }),
    name: Type.String(),
    role: words(roles, 'What the person is in this account.'),
    permissions: Type.Array(words(permissions), { description: 'What the person may do in it.' }),
    editors_delete: Type.Boolean({ description: 'Whether editors may delete codes.' }),
    plan: Type.String(),
    requests_per_minute: Type.Integer(),
    code_quota: nullable(
      Type.Integer({ description: 'Maximum number of codes, or null if there is no limit.' }),
    ),
    quota_scope: words(
      ['api', 'pool'],
      '`api`: only codes created through the API count. `pool`: all live codes count.',
    ),
    codes_used: Type.Integer({ description: 'Number of live codes that count against the quota.' }),
    session_codes: nullable(
      Type.Integer({
        description: 'Maximum number of live codes created in the dashboard, or null if there is no limit.',
      }),
    ),
    session_codes_used: Type.Integer({ description: 'Number of live codes created in the dashboard.' }),
    test_codes: nullable(
      Type.Integer({ description: 'Maximum number of test codes, or null if there is no limit.' }),
    ),
    test_codes_used: Type.Integer({ description: 'Number of test codes, however they were created.' }),
    creations_per_minute: nullable(
      Type.Integer({
        description: 'Maximum number of codes created per minute in each mode, or null if there is no limit.',
      }),
    ),
    webhooks: Type.Boolean({ description: 'Whether the plan includes webhooks.' }),
    test_short_base_url: Type.String({ description: 'Beginning of the short links of test codes.' }),
    suspension: nullable(OwnSuspension),
    held: Type.Boolean({
      description: 'Whether short links are held until the email address is confirmed.',
    }),
  },
  { additionalProperties: false },
);

export const Me = Type.Object(
  {
    user: User,
    language: nullable(
      words(languages, 'Language that the user chose for the dashboard and for mails; null until then.'),
    ),
    account: Type.Union([CurrentAccount, Type.Null()], {
      description:
        'The account of the request; null if the user belongs to none, or to several and the request named none of them.',
    }),
    accounts: Type.Array(OwnAccount, {
      description: 'All accounts of the user, the oldest membership first.',
    }),
    invitations: Type.Array(PendingInvitation, {
      description: 'Pending invitations to the confirmed address of the user. Each is accepted by its link.',
    }),
    service: Type.Object(
      {
        public_url: Type.String(),
        short_base_url: Type.String({ description: 'Beginning of the short links of live codes.' }),
        min_chosen_code: Type.Integer({
          description: 'Minimum length of a custom short code.',
        }),
        version: Type.String(),
        sign_up: Type.Boolean({
          description: 'Whether anyone can sign up. Where nobody can, plans are not shown to people.',
        }),
        sends_mail: Type.Boolean({
          description: 'Whether the installation sends email. Addresses are confirmed only if it does.',
        }),
        visitor_window: words(['month', 'day'], 'The period in which a visitor counts once.'),
        attribution: nullable(
          Type.Object(
            { text: Type.String(), url: Type.String() },
            {
              additionalProperties: false,
              description:
                'Attribution to show wherever locations are shown, or null if the operator provides the location data.',
            },
          ),
        ),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'Me', additionalProperties: false },
);

export const UpdateMe = Type.Object(
  { name: Type.Optional(PersonName), language: Type.Optional(LanguageChoice) },
  { title: 'UpdateMe', additionalProperties: false, minProperties: 1 },
);

const keyFields = {
  id: Type.String({ description: 'key_…' }),
  name: Type.String(),
  mode: words(modeWords),
  prefix: Type.String({ description: 'sk_live_ or sk_test_.' }),
  last_four: Type.String(),
  scopes: nullable(
    Type.Array(words([...keyPermissions, operatorPermission]), {
      description: 'What the key may do; null: everything but accounts:write.',
    }),
  ),
  expires_at: nullable(timestamp()),
  allowed_cidrs: nullable(
    Type.Array(Type.String(), { description: 'Networks from which the key is accepted; null: all.' }),
  ),
  created_by: nullable(
    Type.String({
      description:
        'Name of the person who created the key; null if it was the operator of the service, or somebody who was deleted. `A person who left` stands for somebody who does not belong to the account any more.',
    }),
  ),
  created_at: timestamp(),
  last_used_at: nullable(timestamp()),
};

export const ApiKey = Type.Object(keyFields, { title: 'ApiKey', additionalProperties: false });

export const NewApiKey = Type.Object(
  { ...keyFields, key: Type.String({ description: 'The API key. It is shown only once.' }) },
  { title: 'NewApiKey', additionalProperties: false },
);

export const ApiKeyList = Type.Object(
  { data: Type.Array(ApiKey, { description: 'Newest first, without revoked keys.' }) },
  { title: 'ApiKeyList', additionalProperties: false },
);

/** What a key may do, until when and from where. What is left out of a new key is null. */
const keyTerms = {
  scopes: Type.Optional(
    nullable(
      Type.Array(words(keyPermissions), {
        minItems: 1,
        maxItems: keyPermissions.length,
        uniqueItems: true,
        description: 'What the key may do. null: everything.',
      }),
    ),
  ),
  expires_at: Type.Optional(
    nullable(
      Type.String({
        pattern: momentPattern,
        'x-form': momentForm,
        description: 'When the key stops working: a moment in the future. null: never.',
      }),
    ),
  ),
  allowed_cidrs: Type.Optional(
    nullable(
      Type.Array(Type.String({ minLength: 2, maxLength: 64 }), {
        minItems: 1,
        maxItems: maxAllowedCidrs,
        uniqueItems: true,
        description:
          'Networks from which the key is accepted, such as 203.0.113.0/24, or single addresses. null: all.',
      }),
    ),
  ),
};

export const CreateApiKey = Type.Object(
  {
    name: Type.String({ ...PersonName, description: 'Name of the key.' }),
    mode: words(modeWords, 'Mode of the key.'),
    ...keyTerms,
    current_password: Type.String({
      ...GivenPassword,
      description: 'The password of the user, required because a key outlives the session that created it.',
    }),
  },
  { title: 'CreateApiKey', additionalProperties: false },
);

/** By a key of the operator instead of a person. */
export const CreateTenantKey = Type.Object(
  {
    name: Type.String({ ...PersonName, description: 'Name of the key.' }),
    mode: words(modeWords, 'Mode of the key.'),
    ...keyTerms,
  },
  { title: 'CreateTenantKey', additionalProperties: false },
);

export const UpdateApiKey = Type.Object(
  {
    name: Type.Optional(Type.String({ ...PersonName, description: 'Name of the key.' })),
    ...keyTerms,
    current_password: Type.Optional(
      Type.String({
        ...GivenPassword,
        description: 'The password of the user, required where the key may do more than before.',
      }),
    ),
  },
  { title: 'UpdateApiKey', additionalProperties: false },
);

export const RevokedApiKey = Type.Object(
  { revoked: Type.Literal(true), id: Type.String() },
  { title: 'RevokedApiKey', additionalProperties: false },
);

const accountParameter = (sender: string) =>
  Type.String({
    maxLength: 64,
    description: `Same as the X-Signpost-Account header, which ${sender} cannot send.`,
  });

export const BrowseQuery = Type.Object({
  ...pageQuery({ defaultLimit: 20, maxLimit: 100 }),
  status: Type.Optional(words(statuses, 'Return only codes with this status.')),
  ...codeFilters,
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
      'x-form': '1 to 100 characters of well-formed text',
      description:
        'Text to find in the name, short code, destination, external id or tags, ignoring case. Covers the newest 1,000 matches.',
    }),
  ),
  sort: Type.Optional(
    words(
      sorts,
      '`created`: newest first. `scans`: most scans first. `name`: A to Z. The last two cover the newest 10,000 codes.',
    ),
  ),
});

export const ExportCodesQuery = Type.Object({
  status: Type.Optional(words(statuses, 'Export only codes with this status.')),
  ...codeFilters,
  mode: Type.Optional(words(modeWords, 'Same as the X-Signpost-Mode header, which a link cannot send.')),
  account: Type.Optional(accountParameter('a link')),
});

export const BrowseItem = Type.Object(
  {
    ...QrCodeListItem.properties,
    ...organised,
    short_code: Type.String(),
    archived: Type.Boolean(),
    image_url: Type.String({ format: 'uri' }),
    style: QrCodeStyle,
    unique_scans: Type.Integer({ minimum: 0 }),
    updated_at: timestamp(),
    availability: Availability,
    rule_count: Type.Integer({
      minimum: 0,
      description: 'Number of its rules, those that are switched off included.',
    }),
    sparkline: nullable(
      Type.Array(Type.Integer({ minimum: 0 }), {
        description:
          'Scans per day of the last 14 days in UTC, ending with today, or null if analytics are unavailable.',
      }),
    ),
  },
  { title: 'BrowseItem', additionalProperties: false },
);

export const BrowseList = Type.Object(
  { data: Type.Array(BrowseItem), pagination: ListPagination },
  { title: 'BrowseList', additionalProperties: false },
);

export const editFields = [
  'created',
  'name',
  'destination_url',
  'status',
  'archived',
  'tags',
  'note',
  'external_id',
  'metadata',
  'rules',
  'fallback_url',
  'starts_at',
  'expires_at',
  'max_scans',
  'forward_query',
  'append_query',
] as const;

export const Edit = Type.Object(
  {
    id: Type.String(),
    at: timestamp(),
    by: Type.Object(
      {
        kind: words(
          ['user', 'key', 'operator', 'unknown'],
          '`operator`: the operator of the service. `unknown`: the code was created before edits were recorded.',
        ),
        name: Type.String({
          description:
            'Name of the user, or name and last four characters of the key. `A person who left` stands for somebody who does not belong to the account any more.',
        }),
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
    data: Type.Array(Edit, { description: 'Newest first. The last entry is the creation of the code.' }),
    pagination: Pagination,
  },
  { title: 'History', additionalProperties: false },
);

export const LiveQuery = Type.Object({
  qr_id: Type.Optional(Type.String({ maxLength: 64, description: 'Send only scans of this code.' })),
  mode: Type.Optional(
    words(modeWords, 'Same as the X-Signpost-Mode header, which an EventSource cannot send.'),
  ),
  account: Type.Optional(accountParameter('an EventSource')),
  last_event_id: Type.Optional(
    Type.String({
      maxLength: 4096,
      description: 'Same as the Last-Event-ID header, for a page that was reloaded.',
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
    language: Type.String(),
    target_id: Type.String(),
    rule_id: Type.String(),
    placement: Type.String(),
  },
  { title: 'LiveScan', additionalProperties: false },
);

export type Me = Type.Static<typeof Me>;
export type ApiKeyItem = Type.Static<typeof ApiKey>;
export type ApiKeyTerms = Pick<Type.Static<typeof CreateApiKey>, keyof typeof keyTerms>;
export type NewApiKey = Type.Static<typeof NewApiKey>;
export type BrowseQuery = Type.Static<typeof BrowseQuery>;
export type BrowseItem = Type.Static<typeof BrowseItem>;
export type BrowseList = Type.Static<typeof BrowseList>;
export type Edit = Type.Static<typeof Edit>;
export type History = Type.Static<typeof History>;
export type LiveScan = Type.Static<typeof LiveScan>;
