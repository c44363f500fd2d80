import Type from 'typebox';
import { modeWords } from './modes.ts';
import { Pagination, pageQuery } from './pages.ts';
import { roles } from './permissions.ts';
import {
  maxAppealLength,
  maxFoundCodes,
  maxLookUpLength,
  maxReasonLength,
  reportStates,
  statuses,
  suspensionStates,
} from './values.ts';
import { words } from './words.ts';

/** What is stopped for safety, and what an operator sees of it. Of the dashboard alone. */

const timestamp = () => Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });
const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** Text that people read as text: line breaks and tabs, but no other control characters. */
const prose = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F\\uD800-\\uDFFF]*$',
    'x-visible': true,
    'x-form': `1 to ${maxLength} characters of well-formed text`,
    description,
  });

export const suspensionCauses = ['operator', 'host', 'list'] as const;
export const reportKinds = ['phishing', 'malware', 'scam', 'illegal', 'other'] as const;

const Appeal = Type.Object(
  {
    text: Type.String(),
    at: timestamp(),
    answer: nullable(
      Type.Object(
        {
          text: Type.String({ description: 'Text by the operator. May be empty.' }),
          at: timestamp(),
        },
        {
          additionalProperties: false,
          description: 'The operator has read the appeal and keeps the suspension. A new appeal clears it.',
        },
      ),
    ),
  },
  { title: 'Appeal', additionalProperties: false, description: 'The appeal of the owner.' },
);

/** What an owner is told. */
export const OwnSuspension = Type.Object(
  {
    reason: Type.String({
      description:
        'Human-readable reason, written by the operator, or by the service if a blocklist or a blocked host stopped the code.',
    }),
    suspended_at: timestamp(),
    appeal: nullable(Appeal),
  },
  { title: 'OwnSuspension', additionalProperties: false },
);

export const OwnCodeSuspension = Type.Object(
  { suspension: nullable(OwnSuspension) },
  { title: 'OwnCodeSuspension', additionalProperties: false },
);

export const AppealBody = Type.Object(
  { text: prose(maxAppealLength, 'Why the suspension is a mistake, or what has changed since.') },
  { title: 'AppealBody', additionalProperties: false },
);

/** An account as an operator meets it in a list. */
export const OperatorAccountItem = Type.Object(
  {
    id: Type.String({ description: 'acct_…' }),
    name: Type.String(),
    plan: Type.String(),
    created_at: timestamp(),
    closed_at: nullable(timestamp()),
    suspended: Type.Boolean(),
    held: Type.Boolean({
      description: 'Whether its short links are held until an email address is confirmed.',
    }),
  },
  { title: 'OperatorAccountItem', additionalProperties: false },
);

/** A URL that a code leads to, or led to earlier. */
const OperatorTarget = Type.Object(
  {
    kind: words(['default', 'rule', 'fallback']),
    url: Type.String(),
    rule: nullable(
      Type.Object(
        {
          number: Type.Integer({ description: 'From 1, in the order in which rules are tried.' }),
          name: Type.String(),
          active: Type.Boolean(),
          condition: Type.String({
            description: 'When the rule applies, such as `device ios, android; country DE`.',
          }),
          share: Type.Number({
            description: 'Percentage of the scanners to whom the rule applies that are sent there.',
          }),
        },
        { additionalProperties: false, description: 'The rule that leads there.' },
      ),
    ),
    label: Type.String(),
    removed_at: nullable({
      ...timestamp(),
      description: 'When the code ceased to lead there. Null while it does.',
    }),
  },
  { title: 'OperatorTarget', additionalProperties: false },
);

const targets = {
  targets: Type.Array(OperatorTarget, {
    description:
      'Where the code leads: its destination, the targets of its rules, its fallback, and then what it led to earlier, the newest first. In a list, at most 20 per code; after a search by host, those on the host first. Of a deleted code, those that were kept as evidence.',
  }),
  more_targets: Type.Integer({ description: 'Number of targets that are not in this response.' }),
};

/** A code of anybody. */
export const OperatorCode = Type.Object(
  {
    id: Type.String({ description: 'qr_…' }),
    name: Type.String(),
    mode: words(modeWords),
    short_url: Type.String(),
    destination_url: Type.String({ description: 'Empty if the code was deleted.' }),
    ...targets,
    status: words([...statuses, 'deleted']),
    made_by: words(['api', 'dashboard']),
    created_at: timestamp(),
    updated_at: timestamp(),
    total_scans: Type.Integer(),
    suspended: Type.Boolean({
      description: 'Whether the code itself is suspended. Its account may be suspended as well.',
    }),
    account: OperatorAccountItem,
  },
  { title: 'OperatorCode', additionalProperties: false },
);

export const FindCodesQuery = Type.Object({
  link: Type.String({
    minLength: 1,
    maxLength: maxLookUpLength,
    description: 'A short code, a short link, or a destination URL.',
  }),
});

export const OperatorDomain = Type.Object(
  {
    host: Type.String({ description: 'Host that short links of the account are on.' }),
    status: words(['active', 'released']),
    account: OperatorAccountItem,
    targets: Type.Array(
      Type.Object({
        kind: words(['root', 'not_found']),
        url: Type.String(),
        cleared_at: nullable(timestamp()),
      }),
      {
        description:
          'Where it leads without a short code, and from links that do not exist; then where it led until that was blocked.',
      },
    ),
  },
  { title: 'OperatorDomain', additionalProperties: false },
);

export const FoundCodes = Type.Object(
  {
    data: Type.Array(OperatorCode, {
      description: `Codes that lead there, then codes that led there earlier, each newest first; at most ${maxFoundCodes}.`,
    }),
    domains: Type.Array(OperatorDomain, {
      description: 'The domain of that name, and domains that lead or led to its host without a code.',
    }),
  },
  { title: 'FoundCodes', additionalProperties: false },
);

export const Suspension = Type.Object(
  {
    id: Type.String({ description: 'sus_…' }),
    subject: words(['code', 'account']),
    account: OperatorAccountItem,
    qr_code: nullable(
      Type.Object(
        {
          id: Type.String(),
          name: Type.String(),
          short_url: Type.String(),
          destination_url: Type.String({
            description: 'The current destination. Empty if the code was deleted.',
          }),
          ...targets,
        },
        { additionalProperties: false },
      ),
    ),
    url: nullable(
      Type.String({
        description:
          'Where the code led when it was suspended: the URL on the blocked host or the blocklist, otherwise its destination.',
      }),
    ),
    cause: words(suspensionCauses),
    source: Type.String({ description: 'The blocked host or the name of the blocklist, otherwise empty.' }),
    reason: Type.String(),
    suspended_at: timestamp(),
    released_at: nullable(timestamp()),
    deleted_at: nullable(timestamp()),
    appeal: nullable(Appeal),
  },
  { title: 'Suspension', additionalProperties: false },
);

export const SuspensionsQuery = Type.Object({
  ...pageQuery({ defaultLimit: 20, maxLimit: 100 }),
  state: Type.Optional(
    words(
      suspensionStates,
      '`open`: in force. `appealed`: in force, with an unanswered appeal. `released`: no longer in force, or the code or account was deleted. Defaults to open.',
    ),
  ),
});

export const SuspensionList = Type.Object(
  { data: Type.Array(Suspension, { description: 'Newest first.' }), pagination: Pagination },
  { title: 'SuspensionList', additionalProperties: false },
);

export const CreateSuspension = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Id of a code (`qr_…`) or of an account (`acct_…`).',
    }),
    reason: prose(maxReasonLength, 'Reason shown to the owner.'),
  },
  { title: 'CreateSuspension', additionalProperties: false },
);

export const AnswerAppeal = Type.Object(
  {
    text: Type.Optional(
      prose(
        maxAppealLength,
        'Reply shown to the owner. If omitted, the owner sees only that the appeal was read.',
      ),
    ),
  },
  { title: 'AnswerAppeal', additionalProperties: false },
);

export const OperatorAccount = Type.Object(
  {
    account: OperatorAccountItem,
    suspension: nullable(Suspension),
    people: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          email: Type.String(),
          role: words(roles, 'What this person may do in the account.'),
          email_verified: Type.Boolean(),
          created_at: timestamp(),
        },
        { additionalProperties: false },
      ),
    ),
    live_codes: Type.Integer(),
    test_codes: Type.Integer(),
    suspended_codes: Type.Integer(),
    reports: Type.Integer({ description: 'Number of open reports about its codes.' }),
    limits: Type.Object(
      {
        requests_per_minute: nullable(Type.Integer()),
        codes: nullable(Type.Integer()),
        creations_per_minute: nullable(Type.Integer()),
      },
      {
        additionalProperties: false,
        description: 'Limits that were set for this account in place of those of its plan, or null.',
      },
    ),
  },
  { title: 'OperatorAccount', additionalProperties: false },
);

export const OperatorCodesQuery = Type.Object({ ...pageQuery({ defaultLimit: 20, maxLimit: 100 }) });

export const OperatorCodeList = Type.Object(
  { data: Type.Array(OperatorCode, { description: 'Newest first.' }), pagination: Pagination },
  { title: 'OperatorCodeList', additionalProperties: false },
);

export const Report = Type.Object(
  {
    id: Type.String({ description: 'rep_…' }),
    code: OperatorCode,
    count: Type.Integer({ description: 'Number of times the link was reported.' }),
    first_at: timestamp(),
    last_at: timestamp(),
    closed_at: nullable(timestamp()),
    messages: Type.Array(
      Type.Object(
        { kind: words(reportKinds), text: Type.String(), at: timestamp() },
        { additionalProperties: false },
      ),
      { description: 'Newest first, at most 20. The text was written by anonymous visitors.' },
    ),
  },
  { title: 'Report', additionalProperties: false },
);

export const ReportsQuery = Type.Object({
  ...pageQuery({ defaultLimit: 20, maxLimit: 100 }),
  state: Type.Optional(words(reportStates, 'Defaults to open.')),
});

export const ReportList = Type.Object(
  { data: Type.Array(Report, { description: 'Most recently reported first.' }), pagination: Pagination },
  { title: 'ReportList', additionalProperties: false },
);

export const BlockedHost = Type.Object(
  {
    host: Type.String(),
    reason: Type.String(),
    created_at: timestamp(),
    suspended_codes: Type.Integer({
      description: 'Number of codes that are suspended because they lead to this host.',
    }),
    marking: Type.Boolean({
      description:
        'Whether codes that lead to this host are still being marked as suspended. They no longer redirect.',
    }),
  },
  { title: 'BlockedHost', additionalProperties: false },
);

export const BlockedHostList = Type.Object(
  { data: Type.Array(BlockedHost, { description: 'Most recently blocked first.' }), pagination: Pagination },
  { title: 'BlockedHostList', additionalProperties: false },
);

export const BlockedHostsQuery = Type.Object({ ...pageQuery({ defaultLimit: 20, maxLimit: 100 }) });

export const HostReach = Type.Object(
  {
    host: Type.String(),
    codes: Type.Integer({
      description: 'Number of codes that lead to the host or its subdomains, counted up to 100,001.',
    }),
    domains: Type.Integer({
      description: 'Number of domains that lead there without a code, counted up to 100,001.',
    }),
    accounts: Type.Integer({ description: 'Number of accounts that these codes and domains belong to.' }),
  },
  { title: 'HostReach', additionalProperties: false },
);

export const BlockHost = Type.Object(
  {
    host: Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'Host name without https:// and path. Its subdomains are blocked as well.',
    }),
    reason: Type.Optional(
      prose(maxReasonLength, 'Reason shown to the owners of codes that lead to this host.'),
    ),
  },
  { title: 'BlockHost', additionalProperties: false },
);

export const UnblockedHost = Type.Object(
  { host: Type.String(), released_codes: Type.Integer() },
  { title: 'UnblockedHost', additionalProperties: false },
);

export const BlockList = Type.Object(
  {
    name: Type.String(),
    hosts: Type.Integer(),
    urls: Type.Integer(),
    imported_at: timestamp(),
    expires_at: nullable(timestamp()),
    suspended_codes: Type.Integer({
      description: 'Number of codes that are suspended because of this blocklist.',
    }),
  },
  { title: 'BlockList', additionalProperties: false },
);

export const BlockLists = Type.Object(
  { data: Type.Array(BlockList) },
  { title: 'BlockLists', additionalProperties: false },
);

export type OwnSuspension = Type.Static<typeof OwnSuspension>;
export type OperatorAccountItem = Type.Static<typeof OperatorAccountItem>;
export type OperatorTarget = Type.Static<typeof OperatorTarget>;
export type OperatorCode = Type.Static<typeof OperatorCode>;
export type OperatorAccount = Type.Static<typeof OperatorAccount>;
export type Suspension = Type.Static<typeof Suspension>;
export type Report = Type.Static<typeof Report>;
export type BlockedHost = Type.Static<typeof BlockedHost>;
export type OperatorDomain = Type.Static<typeof OperatorDomain>;
export type HostReach = Type.Static<typeof HostReach>;
export type BlockList = Type.Static<typeof BlockList>;
