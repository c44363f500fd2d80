import type { HostReach, OperatorAccountItem, OperatorTarget, Report } from '@signpost/contract';
import { maxCountedCodes } from '@signpost/contract/values.ts';
import { operatorText } from '../../strings/operator.ts';

/** What operators read, in words. */

export type ReportKind = Report['messages'][number]['kind'];

export const kindNames: Readonly<Record<ReportKind, string>> = operatorText.kinds;

/** The kinds of a report, the most frequent first. */
export function kindsOf(messages: Report['messages']): readonly ReportKind[] {
  const counts = new Map<ReportKind, number>();
  for (const { kind } of messages) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([kind]) => kind);
}

type Suggestion = { readonly kind: ReportKind; readonly text: string };

/** Reasons that fit most cases, for the owner to read. */
const reasons: Readonly<Record<'code' | 'account', readonly Suggestion[]>> = operatorText.reasons;

/** What strangers have reported comes first, but it is the operator who chooses. */
export const suggestedReasons = (
  what: keyof typeof reasons,
  reported: ReportKind | undefined,
): readonly Suggestion[] =>
  reasons[what].toSorted((a, b) => Number(b.kind === reported) - Number(a.kind === reported));

const chips = operatorText.chips;
const newForMs = 7 * 86_400_000;

type Chip = { readonly label: string; readonly color: string };

/** What an operator should notice about an account at once. */
export function chipsOf(
  account: Pick<OperatorAccountItem, 'created_at' | 'closed_at' | 'suspended' | 'held'>,
  now: Date = new Date(),
): readonly Chip[] {
  const isNew = now.getTime() - new Date(account.created_at).getTime() < newForMs;
  return [
    ...(account.suspended ? [{ label: chips.suspended, color: 'red' }] : []),
    ...(account.closed_at ? [{ label: chips.closed, color: 'gray' }] : []),
    ...(account.held ? [{ label: chips.held, color: 'orange' }] : []),
    ...(isNew && !account.closed_at ? [{ label: chips.new, color: 'blue' }] : []),
  ];
}

const target = operatorText.code.target;

/** By which rule a code leads to a target. Empty for its destination. */
export function targetNote({ kind, rule, label }: OperatorTarget): string {
  if (kind === 'default') return '';
  const parts = rule
    ? [
        rule.name === ''
          ? target.rule(rule.number, rule.condition)
          : target.namedRule(rule.number, rule.name, rule.condition),
        ...(rule.share === 100 ? [] : [target.share(rule.share)]),
        ...(rule.active ? [] : [target.inactive]),
      ]
    : kind === 'fallback'
      ? [target.fallback]
      : [];
  return [...parts, ...(label ? [label] : [])].join(' · ');
}

/** The hosts that a code leads to, each once. */
export const currentHosts = (targets: readonly OperatorTarget[]): readonly string[] => [
  ...new Set(targets.filter(({ removed_at }) => removed_at === null).map(({ url }) => hostOf(url))),
];

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

/** What would stop if a host were blocked, and of how many accounts. */
export function reachInWords({
  codes,
  domains,
  accounts,
}: Pick<HostReach, 'codes' | 'domains' | 'accounts'>): readonly string[] {
  const { none, some, many, domains: leading, accounts: owners } = operatorText.reach;
  if (codes === 0 && domains === 0) return [none];
  const ofCodes = codes === 0 ? none : codes > maxCountedCodes ? many(maxCountedCodes) : some(codes);
  return [ofCodes, ...(domains > 0 ? [leading(domains)] : []), owners(accounts)];
}
