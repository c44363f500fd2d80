import type { HostReach, OperatorAccountItem, Report, Suspension } from '@signpost/contract';
import { formatNumber } from '../../ui/format.ts';

/** What operators read, in words. */

export type ReportKind = Report['messages'][number]['kind'];

export const kindNames: Readonly<Record<ReportKind, string>> = {
  phishing: 'Phishing',
  malware: 'Malware',
  scam: 'Scam',
  illegal: 'Illegal content',
  other: 'Other',
};

/** The kinds of a report, the most frequent first. */
export function kindsOf(messages: Report['messages']): readonly ReportKind[] {
  const counts = new Map<ReportKind, number>();
  for (const { kind } of messages) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([kind]) => kind);
}

type Suggestion = { readonly kind: ReportKind; readonly text: string };

/** Reasons that fit most cases, for the owner to read. */
const reasons: Readonly<Record<'code' | 'account', readonly Suggestion[]>> = {
  code: [
    { kind: 'phishing', text: 'The destination asks for passwords or payment details under a false name.' },
    { kind: 'malware', text: 'The destination offers harmful software.' },
    { kind: 'scam', text: 'The destination tries to get money or personal data by deception.' },
    { kind: 'illegal', text: 'The destination shows content that is against the law.' },
  ],
  account: [
    {
      kind: 'phishing',
      text: 'Codes of this account lead to pages that ask for passwords or payment details under a false name.',
    },
    { kind: 'malware', text: 'Codes of this account lead to harmful software.' },
    {
      kind: 'scam',
      text: 'Codes of this account lead to pages that try to get money or personal data by deception.',
    },
    { kind: 'illegal', text: 'Codes of this account lead to content that is against the law.' },
  ],
};

/** What strangers have reported comes first, but it is the operator who chooses. */
export const suggestedReasons = (
  what: keyof typeof reasons,
  reported: ReportKind | undefined,
): readonly Suggestion[] =>
  reasons[what].toSorted((a, b) => Number(b.kind === reported) - Number(a.kind === reported));

/** Who or what has suspended it. */
export function causeOf({ cause, source }: Pick<Suspension, 'cause' | 'source'>): string {
  switch (cause) {
    case 'operator':
      return 'by an operator';
    case 'host':
      return `because ${source} is blocked`;
    case 'list':
      return `because its destination is on the list ${source}`;
  }
}

const newForMs = 7 * 86_400_000;

type Chip = { readonly label: string; readonly color: string };

/** What an operator should notice about an account at once. */
export function chipsOf(
  account: Pick<OperatorAccountItem, 'created_at' | 'closed_at' | 'suspended' | 'held'>,
  now: Date = new Date(),
): readonly Chip[] {
  const isNew = now.getTime() - new Date(account.created_at).getTime() < newForMs;
  return [
    ...(account.suspended ? [{ label: 'Suspended', color: 'red' }] : []),
    ...(account.closed_at ? [{ label: 'Closed', color: 'gray' }] : []),
    ...(account.held ? [{ label: 'Waiting for e-mail', color: 'orange' }] : []),
    ...(isNew && !account.closed_at ? [{ label: 'New', color: 'blue' }] : []),
  ];
}

/** The host of an address, in the form in which no letter can pose as another one. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url;
}

/** The host in whatever somebody has pasted: a host, or a whole address. */
export function hostIn(text: string): string {
  const trimmed = text.trim();
  if (/^https?:\/\//i.test(trimmed)) return hostOf(trimmed);
  return trimmed.replace(/[/?#].*$/s, '').toLowerCase();
}

export const codesOf = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'code' : 'codes'}`;

/** Codes are counted up to one more than this. */
const mostCounted = 100_000;

/** What would stop if a host were blocked. */
export function reachInWords({ codes, accounts }: Pick<HostReach, 'codes' | 'accounts'>): string {
  if (codes === 0) return 'No code leads there at present.';
  const many = codes > mostCounted;
  const owners = `${many ? 'at least ' : ''}${formatNumber(accounts)} ${accounts === 1 ? 'account' : 'accounts'}`;
  return `${many ? `More than ${formatNumber(mostCounted)} codes` : codesOf(codes)} of ${owners} ${codes === 1 ? 'leads' : 'lead'} there.`;
}

export const timesOf = (count: number): string =>
  count === 1 ? 'once' : count === 2 ? 'twice' : `${count.toLocaleString()} times`;
