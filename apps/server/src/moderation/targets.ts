import { getHost } from '../kernel/addresses/hosts.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import { describeConditions } from '../rules/describe-conditions.ts';
import type { Rule } from '../rules/rule.ts';

/** A URL that a code leads to, or led to earlier. */
export type CodeTarget = {
  readonly kind: 'default' | 'rule' | 'fallback';
  readonly url: string;
  /** The rule that leads there. Null for other kinds, and for a removed target. */
  readonly rule: TargetRule | null;
  readonly label: string;
  /** When the code ceased to lead there; null while it does. A removed target is shown, and stops nothing. */
  readonly removedAt: Date | null;
};

type TargetRule = {
  /** From 1, in the order in which rules are tried. */
  readonly number: number;
  readonly name: string;
  readonly active: boolean;
  readonly condition: string;
  /** How many of the scanners to whom the rule applies are sent there, in percent. */
  readonly share: number;
};

/** Where a code leads: its current targets, then removed ones, the newest first. */
export type CodeTargets = {
  readonly shown: readonly CodeTarget[];
  /** How many more there are. */
  readonly more: number;
};

type Selection = {
  /** Targets on this host or below it come first. */
  readonly host?: string | undefined;
  readonly limit: number;
};

/**
 * Every target of these codes: the one view that suspensions, lists, reports, evidence and the operator's pages use. Those of
 * a deleted code come from its evidence.
 */
export async function findTargets(
  db: Database,
  qrCodeIds: readonly Uuid[],
  { host, limit }: Selection,
): Promise<ReadonlyMap<Uuid, CodeTargets>> {
  if (qrCodeIds.length === 0) return new Map();
  const rows = await db.query<Row>(selectTargets, [qrCodeIds, limit, host ?? null]);
  return new Map(rows.map(row => [row.id, select(row, host, limit)]));
}

export const noTargets: CodeTargets = { shown: [], more: 0 };

function select(row: Row, host: string | undefined, limit: number): CodeTargets {
  const kept = row.status === 'deleted' ? (row.kept ?? []).map(fromEvidence) : null;
  const removed = (row.removed ?? []).map(fromEvidence);
  const targets = kept ?? [...currentTargets(row), ...removed];
  const unread = kept ? 0 : row.removed_count - removed.length;
  const sought = host === undefined ? [] : targets.filter(({ url }) => isOn(url, host));
  const shown = [...new Set([...sought, ...targets])].slice(0, limit);
  return { shown, more: targets.length + unread - shown.length };
}

function currentTargets({ destination_url, rules, fallback_url }: Row): CodeTarget[] {
  const plain = { rule: null, label: '', removedAt: null };
  return [
    { kind: 'default', url: destination_url, ...plain },
    ...(rules ?? []).flatMap(targetsOfRule),
    ...(fallback_url === null ? [] : [{ kind: 'fallback', url: fallback_url, ...plain } as const]),
  ];
}

function targetsOfRule(rule: Rule, index: number): CodeTarget[] {
  const { name, active, to } = rule;
  const condition = describeConditions(rule);
  const total = to.reduce((sum, { weight }) => sum + weight, 0);
  return to.map(({ url, label, weight }) => ({
    kind: 'rule',
    url,
    rule: { number: index + 1, name, active, condition, share: Math.round((1000 * weight) / total) / 10 },
    label,
    removedAt: null,
  }));
}

function isOn(url: string, host: string): boolean {
  if (!URL.canParse(url)) return false;
  const own = getHost(new URL(url));
  return own === host || own.endsWith(`.${host}`);
}

/** A target as JSON, in evidence. */
type StoredTarget = Omit<CodeTarget, 'removedAt'> & { readonly removed_at: string | null };

export const toEvidence = ({ removedAt, ...target }: CodeTarget): StoredTarget => ({
  ...target,
  removed_at: removedAt?.toISOString() ?? null,
});

const fromEvidence = ({ removed_at: at, ...target }: StoredTarget): CodeTarget => ({
  ...target,
  removedAt: at === null ? null : new Date(at),
});

/** A target on one line, for commands: `https://bad.example/  rule 2 "Phones": device ios`. */
export function describeTarget({ kind, url, rule, label, removedAt }: CodeTarget): string {
  return [
    url,
    rule ? describeRule(rule) : kind === 'default' ? null : kind,
    label && `label "${label}"`,
    removedAt && `removed ${removedAt.toISOString().slice(0, 10)}`,
  ]
    .filter(Boolean)
    .join('  ');
}

function describeRule({ number, name, active, condition, share }: TargetRule): string {
  const part = share === 100 ? '' : `, ${share} % of scans`;
  return `rule ${number}${name && ` "${name}"`}${active ? '' : ' (off)'}: ${condition}${part}`;
}

type Row = {
  readonly id: Uuid;
  readonly status: string;
  readonly destination_url: string;
  readonly rules: readonly Rule[] | null;
  readonly fallback_url: string | null;
  readonly removed: readonly StoredTarget[] | null;
  readonly removed_count: number;
  readonly kept: readonly StoredTarget[] | null;
};

export const selectTargets = sql(
  'select-targets-of-codes',
  `select c.id, c.status, c.destination_url, c.rules, c.fallback_url,
          (select json_agg(json_build_object('kind', r.kind, 'url', r.url, 'rule', null, 'label', r.label,
                                             'removed_at', r.removed_at))
             from (select * from removed_targets where qr_code_id = c.id
                    order by (host = $3 or right(host, length($3) + 1) = '.' || $3) is true desc, removed_at desc
                    limit $2) r) as removed,
          (select count(*) from removed_targets where qr_code_id = c.id) as removed_count,
          (select s.evidence->'targets' from suspensions s
            where s.qr_code_id = c.id and s.released_at is null and s.deleted_at is not null
              and c.status = 'deleted' limit 1) as kept
     from qr_codes c where c.id = any($1::uuid[])`,
);
