import Type from 'typebox';
import { OperatorAccountItem } from './abuse.ts';
import { Pagination, pageQuery } from './pages.ts';
import { roles } from './permissions.ts';
import { GivenPassword } from './users.ts';
import { accountStates, personStates } from './values.ts';
import { words } from './words.ts';

/** What an operator sees of people, accounts, plans and the installation itself. Of the dashboard alone. */

const timestamp = () => Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });
const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const search = (description: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 254,
      pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
      'x-form': '1 to 254 characters of well-formed text',
      description,
    }),
  );

export const PeopleQuery = Type.Object({
  ...pageQuery({ defaultLimit: 20, maxLimit: 100 }),
  search: search('Part of the email address, ignoring case.'),
  state: Type.Optional(
    words(
      personStates,
      '`all`, `operators` only, or people with an `unconfirmed` email address. Defaults to all.',
    ),
  ),
});

export const OperatorPerson = Type.Object(
  {
    id: Type.String({ description: 'user_…' }),
    email: Type.String(),
    name: Type.String(),
    email_verified: Type.Boolean(),
    is_operator: Type.Boolean(),
    created_at: timestamp(),
    sessions: Type.Integer({ minimum: 0, description: 'Number of active sessions.' }),
    accounts: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'acct_…' }),
          name: Type.String(),
          role: words(roles, 'What the person is in it.'),
        },
        { additionalProperties: false },
      ),
      { description: 'Accounts of the person, the oldest membership first, at most 20.' },
    ),
  },
  { title: 'OperatorPerson', additionalProperties: false },
);

export const PeopleList = Type.Object(
  { data: Type.Array(OperatorPerson, { description: 'Newest first.' }), pagination: Pagination },
  { title: 'PeopleList', additionalProperties: false },
);

const currentPassword = Type.String({
  ...GivenPassword,
  description: 'The password of the operator.',
});

export const SetOperator = Type.Object(
  {
    is_operator: Type.Boolean(),
    even_unconfirmed: Type.Optional(
      Type.Boolean({
        description:
          'Allows a person whose email address is not confirmed: anyone may have signed up with it.',
      }),
    ),
    current_password: currentPassword,
  },
  { title: 'SetOperator', additionalProperties: false },
);

export const SendResetLink = Type.Object(
  { current_password: currentPassword },
  { title: 'SendResetLink', additionalProperties: false },
);

export const SentResetLink = Type.Object(
  {
    link: nullable(
      Type.String({
        description:
          'The link to pass on if the installation does not send email, or null if it was sent by email.',
      }),
    ),
  },
  { title: 'SentResetLink', additionalProperties: false },
);

export const EndedSessions = Type.Object(
  { ended: Type.Integer({ minimum: 0 }) },
  { title: 'EndedSessions', additionalProperties: false },
);

export const AccountsQuery = Type.Object({
  ...pageQuery({ defaultLimit: 20, maxLimit: 100 }),
  search: search(
    'Part of the name of the account or of the email address of one of its people, or the id of the account.',
  ),
  state: Type.Optional(words(accountStates, '`open` means not closed. Defaults to open.')),
  plan: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Return only accounts on this plan.' }),
  ),
});

export const ListedAccount = Type.Object(
  {
    account: OperatorAccountItem,
    people: Type.Array(Type.String(), {
      description: 'Email addresses of its people, oldest first, at most three.',
    }),
    roles: Type.Array(words(roles, 'What a person may do in the account.'), {
      description: 'The role of each of these people, in the same order.',
    }),
    people_count: Type.Integer({ minimum: 0, description: 'How many people belong to it.' }),
    codes_used: Type.Integer({
      minimum: 0,
      description: 'Number of live codes that count against the quota.',
    }),
    live_codes: Type.Integer({
      minimum: 0,
      description: 'Number of live codes, whether or not they count against the quota.',
    }),
    code_quota: nullable(
      Type.Integer({ description: 'Maximum number of codes, or null if there is no limit.' }),
    ),
    test_codes: Type.Integer({ minimum: 0 }),
    scans: nullable(
      Type.Integer({
        minimum: 0,
        description: 'Scans of live codes in the last 30 days, or null if analytics are unavailable.',
      }),
    ),
  },
  { title: 'ListedAccount', additionalProperties: false },
);

export const AccountList = Type.Object(
  { data: Type.Array(ListedAccount, { description: 'Newest first.' }), pagination: Pagination },
  { title: 'AccountList', additionalProperties: false },
);

export const SetPlan = Type.Object(
  { plan: Type.String({ minLength: 1, maxLength: 100 }) },
  { title: 'SetPlan', additionalProperties: false },
);

export const Plan = Type.Object(
  {
    name: Type.String(),
    is_default: Type.Boolean({ description: 'Whether new accounts are on this plan.' }),
    accounts: Type.Integer({ minimum: 0, description: 'Number of open accounts on this plan.' }),
    requests_per_minute: Type.Integer(),
    code_quota: nullable(
      Type.Integer({ description: 'Maximum number of codes, or null if there is no limit.' }),
    ),
    quota_scope: words(
      ['api', 'pool'],
      '`api`: only codes created through the API count. `pool`: all live codes count.',
    ),
    session_codes: nullable(
      Type.Integer({
        description: 'Maximum number of live codes created in the dashboard, or null if there is no limit.',
      }),
    ),
    test_codes: nullable(
      Type.Integer({ description: 'Maximum number of test codes, or null if there is no limit.' }),
    ),
    creations_per_minute: nullable(
      Type.Integer({
        description: 'Maximum number of codes created per minute, or null if there is no limit.',
      }),
    ),
    webhooks: Type.Boolean(),
    members: nullable(
      Type.Integer({
        description: 'Maximum number of people, pending invitations included, or null if there is no limit.',
      }),
    ),
  },
  { title: 'Plan', additionalProperties: false },
);

export const PlanList = Type.Object(
  { data: Type.Array(Plan, { description: 'Smallest first.' }) },
  { title: 'PlanList', additionalProperties: false },
);

export const SetupFinding = Type.Object(
  {
    check: Type.String({ description: 'Name of the check, such as `reach`.' }),
    state: words(['ok', 'warning', 'problem']),
    found: Type.String({ description: 'Human-readable result of the check.' }),
    next: nullable(Type.String({ description: 'What to do next, or null if there is nothing to do.' })),
  },
  { title: 'SetupFinding', additionalProperties: false },
);

export const SetupCheck = Type.Object(
  { checked_at: timestamp(), findings: Type.Array(SetupFinding) },
  { title: 'SetupCheck', additionalProperties: false },
);

export type PeopleQuery = Type.Static<typeof PeopleQuery>;
export type OperatorPerson = Type.Static<typeof OperatorPerson>;
export type AccountsQuery = Type.Static<typeof AccountsQuery>;
export type ListedAccount = Type.Static<typeof ListedAccount>;
export type Plan = Type.Static<typeof Plan>;
export type SetupFinding = Type.Static<typeof SetupFinding>;
export type SetupCheck = Type.Static<typeof SetupCheck>;
