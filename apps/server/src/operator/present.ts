import type {
  OperatorAccount as WireAccount,
  OperatorAccountItem as WireAccountItem,
  OperatorCode as WireCode,
  OperatorDomain as WireDomain,
  BlockedHost as WireHost,
  BlockList as WireList,
  Report as WireReport,
  Suspension as WireSuspension,
} from '@signpost/contract';
import type { LinkNames } from '../kernel/addresses/link-names.ts';
import { formatId } from '../kernel/ids.ts';
import type { Report } from '../moderation/reports/report.ts';
import type {
  AccountItem,
  OperatorAccount,
  OperatorCode,
  OperatorDomain,
  Suspension,
} from '../moderation/suspensions/suspension.ts';
import type { CodeTargets } from '../moderation/targets.ts';
import type { BlockedHostItem, ListItem } from './operator.ts';

const time = (at: Date | null) => at?.toISOString() ?? null;

export const presentAccountItem = (account: AccountItem): WireAccountItem => ({
  id: formatId('acct', account.id),
  name: account.name,
  plan: account.plan,
  created_at: account.createdAt.toISOString(),
  closed_at: time(account.closedAt),
  suspended: account.suspended,
  held: account.held,
});

const presentTargets = ({ shown, more }: CodeTargets): Pick<WireCode, 'targets' | 'more_targets'> => ({
  targets: shown.map(({ removedAt, ...target }) => ({ ...target, removed_at: time(removedAt) })),
  more_targets: more,
});

export const presentCode = (code: OperatorCode, linkNames: LinkNames): WireCode => ({
  id: formatId('qr', code.id),
  name: code.name,
  mode: code.mode,
  short_url: linkNames.toUrl(code),
  destination_url: code.destinationUrl,
  ...presentTargets(code.targets),
  status: code.status,
  made_by: code.madeBy,
  created_at: code.createdAt.toISOString(),
  updated_at: code.updatedAt.toISOString(),
  total_scans: code.totalScans,
  suspended: code.suspended,
  account: presentAccountItem(code.account),
});

export const presentDomain = ({ host, status, account, targets }: OperatorDomain): WireDomain => ({
  host,
  status,
  account: presentAccountItem(account),
  targets: targets.map(({ clearedAt, ...target }) => ({ ...target, cleared_at: time(clearedAt) })),
});

export const presentSuspension = (suspension: Suspension, linkNames: LinkNames): WireSuspension => {
  const { code, appeal } = suspension;
  return {
    id: formatId('sus', suspension.id),
    subject: code === null ? 'account' : 'code',
    account: presentAccountItem(suspension.account),
    qr_code: code && {
      id: formatId('qr', code.id),
      name: code.name,
      short_url: linkNames.toUrl(code),
      destination_url: code.destinationUrl,
      ...presentTargets(code.targets),
    },
    url: suspension.url,
    cause: suspension.cause,
    source: suspension.source,
    reason: suspension.reason,
    suspended_at: suspension.suspendedAt.toISOString(),
    released_at: time(suspension.releasedAt),
    deleted_at: time(suspension.deletedAt),
    appeal: appeal && {
      text: appeal.text,
      at: appeal.at.toISOString(),
      answer: appeal.answer && { text: appeal.answer.text, at: appeal.answer.at.toISOString() },
    },
  };
};

export const presentAccount = (
  found: OperatorAccount,
  reports: number,
  linkNames: LinkNames,
): WireAccount => ({
  account: presentAccountItem(found.account),
  suspension: found.suspension && presentSuspension(found.suspension, linkNames),
  people: found.people.map(({ name, email, emailVerified, createdAt, role }) => ({
    name,
    email,
    role,
    email_verified: emailVerified,
    created_at: createdAt.toISOString(),
  })),
  live_codes: found.liveCodes,
  test_codes: found.testCodes,
  suspended_codes: found.suspendedCodes,
  reports,
  limits: {
    requests_per_minute: found.ownLimits.requestsPerMinute,
    codes: found.ownLimits.codes,
    creations_per_minute: found.ownLimits.creationsPerMinute,
  },
});

export const presentReport = (report: Report, code: OperatorCode, linkNames: LinkNames): WireReport => ({
  id: formatId('rep', report.id),
  code: presentCode(code, linkNames),
  count: report.count,
  first_at: report.firstAt.toISOString(),
  last_at: report.lastAt.toISOString(),
  closed_at: time(report.closedAt),
  messages: report.messages.map(({ kind, text, at }) => ({ kind, text, at: at.toISOString() })),
});

export const presentHost = (blocked: BlockedHostItem): WireHost => ({
  host: blocked.host,
  reason: blocked.reason,
  created_at: blocked.createdAt.toISOString(),
  suspended_codes: blocked.suspendedCodes,
  marking: blocked.marking,
});

export const presentList = (list: ListItem, suspendedCodes: number): WireList => ({
  name: list.name,
  hosts: list.hosts,
  urls: list.urls,
  imported_at: list.importedAt.toISOString(),
  expires_at: time(list.expiresAt),
  suspended_codes: suspendedCodes,
});
