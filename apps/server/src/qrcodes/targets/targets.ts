import { getHost } from '../../kernel/addresses/hosts.ts';
import { listedUrlHash } from '../../kernel/addresses/listed-url.ts';
import type { Ids, Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { CodeRules } from '../../rules/code-rules.ts';
import * as statements from './target-statements.ts';

/** Where a code leads, in the forms by which codes are searched: its host, and the hash by which lists know its URL. */
export type Target = { readonly url: string; readonly host: string; readonly urlHash: Buffer };

export const toTarget = (url: string): Target => ({
  url,
  host: getHost(new URL(url)),
  urlHash: listedUrlHash(url),
});

export type LeadingCode = { readonly id: Uuid; readonly destination_url: string };

/** Earlier targets that are stored per code; older ones are deleted. */
const maxRemoved = 1000;

/** Runs in the transaction that changes where codes lead. Their previous destinations are kept as removed targets. */
export async function writeTargets(tx: Database, codes: readonly LeadingCode[], now: Date): Promise<void> {
  const targets = codes.map(code => toTarget(code.destination_url));
  await tx.query(statements.writeTargets, [
    codes.map(({ id }) => id),
    targets.map(({ url }) => url),
    targets.map(({ host }) => host),
    targets.map(({ urlHash }) => urlHash),
    now,
    maxRemoved,
  ]);
}

/** A target that rules of a code had earlier. */
export type RemovedTarget = {
  readonly id: Uuid;
  readonly ruleId: Uuid;
  readonly label: string;
  readonly url: string;
};

export async function findRemovedTargets(db: Database, qrCodeId: Uuid): Promise<readonly RemovedTarget[]> {
  const rows = await db.query<{ id: Uuid; rule_id: Uuid; label: string; url: string }>(
    statements.findRemovedTargets,
    [qrCodeId],
  );
  return rows.map(({ rule_id: ruleId, ...target }) => ({ ...target, ruleId }));
}

/** Runs in the transaction that changes the rules or the fallback of a code. URLs that are gone are kept as removed. */
export async function writeRuleTargets(
  tx: Database,
  ids: Ids,
  qrCodeId: Uuid,
  before: CodeRules,
  after: CodeRules,
  now: Date,
): Promise<void> {
  const targets = routedTargets(after);
  const rows = targets.map(target => ({ ...target, id: target.id ?? ids.next() }));
  await tx.query(statements.replaceRuleTargets, [
    qrCodeId,
    rows.map(({ id }) => id),
    rows.map(({ kind }) => kind),
    rows.map(({ url }) => url),
    rows.map(({ host }) => host),
    rows.map(({ urlHash }) => urlHash),
  ]);
  const current = new Set(targets.map(({ id, url }) => `${id} ${url}`));
  // A target whose URL was changed in place counts as gone too: operators must see where it led.
  const gone = routedTargets(before).filter(({ id, url }) => !current.has(`${id} ${url}`));
  if (gone.length === 0) return;
  await tx.query(statements.keepRemovedTargets, [
    qrCodeId,
    gone.map(({ kind }) => kind),
    gone.map(({ id }) => id),
    gone.map(({ ruleId }) => ruleId),
    gone.map(({ label }) => label),
    gone.map(({ url }) => url),
    gone.map(({ host }) => host),
    now,
    maxRemoved,
  ]);
}

/** Where a code leads besides its destination. A fallback has no id of its own. */
const routedTargets = ({ rules, fallbackUrl }: CodeRules) => [
  ...rules.flatMap(({ id: ruleId, to }) =>
    to.map(({ id, label, url }) => ({ kind: 'rule', id, ruleId, label, ...toTarget(url) })),
  ),
  ...(fallbackUrl === null
    ? []
    : [{ kind: 'fallback', id: null, ruleId: null, label: '', ...toTarget(fallbackUrl) }]),
];

/** A URL that a code leads to, in the form in which hosts are blocked. */
export type LeadingTarget = { readonly id: Uuid; readonly url: string; readonly host: string };

/**
 * Runs in the transaction that deletes codes. Locks in one order, as every statement on many targets does. Returns the targets
 * with the ids of their codes.
 */
export function deleteTargets(tx: Database, qrCodeIds: readonly Uuid[]): Promise<readonly LeadingTarget[]> {
  return tx.query<LeadingTarget>(statements.deleteTargets, [qrCodeIds]);
}

export async function deleteRemovedTargets(tx: Database, qrCodeIds: readonly Uuid[]): Promise<void> {
  await tx.query(statements.deleteRemovedTargets, [qrCodeIds]);
}

/** Codes whose removed targets one statement reads, and removed targets that it deletes at most. */
const trimmedCodes = 50;
const trimmedTargets = 5000;

/** Keeps the newest removed targets of codes that are about to be deleted, however many they have. */
export async function trimRemovedTargets(
  db: Database,
  qrCodeIds: readonly Uuid[],
  most: number,
): Promise<void> {
  for (let from = 0; from < qrCodeIds.length; from += trimmedCodes) {
    const ids = qrCodeIds.slice(from, from + trimmedCodes);
    let deleted = trimmedTargets;
    while (deleted === trimmedTargets)
      deleted = (await db.query(statements.trimRemovedTargets, [ids, most, trimmedTargets])).length;
  }
}

/** How many removed targets each of these codes has; codes without any are left out. */
export async function countRemovedTargets(
  db: Database,
  qrCodeIds: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, number>> {
  const rows = await db.query<{ id: Uuid; count: number }>(statements.countRemovedTargets, [qrCodeIds]);
  return new Map(rows.map(({ id, count }) => [id, count]));
}
