import { hostOf, maxHostLength } from '../kernel/hosts.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import { listedUrlHash } from '../kernel/listed-url.ts';
import type { Database } from '../platform/postgres.ts';
import type { CodeRouting } from '../rules/code-routing.ts';
import * as statements from './target-statements.ts';

/** Where a code leads, in the forms by which codes are searched: its host, and the hash by which lists know its URL. */
export type Target = { readonly url: string; readonly host: string; readonly urlHash: Buffer };

/** A host longer than any DNS name, as 0.1 accepted them, is cut to its end: every domain that can be blocked is in there. */
export const targetOf = (url: string): Target => ({
  url,
  host: hostOf(new URL(url)).slice(-maxHostLength),
  urlHash: listedUrlHash(url),
});

export type LeadingCode = { readonly id: Uuid; readonly destination_url: string };

/** Runs in the transaction that changes where codes lead. */
export async function writeTargets(tx: Database, codes: readonly LeadingCode[]): Promise<void> {
  const leading = codes.filter(code => URL.canParse(code.destination_url));
  const targets = leading.map(code => targetOf(code.destination_url));
  await tx.query(statements.writeTargets, [
    leading.map(({ id }) => id),
    targets.map(({ url }) => url),
    targets.map(({ host }) => host),
    targets.map(({ urlHash }) => urlHash),
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

const maxRemoved = 1000;

/** Runs in the transaction that changes the rules of a code. Targets that are gone are kept for old figures. */
export async function writeRuleTargets(
  tx: Database,
  ids: Ids,
  qrCodeId: Uuid,
  before: CodeRouting,
  { rules, fallbackUrl }: CodeRouting,
  now: Date,
): Promise<void> {
  const rows = [
    ...rules.flatMap(({ to }) => to.map(({ id, url }) => ({ id, kind: 'rule', ...targetOf(url) }))),
    ...(fallbackUrl === null ? [] : [{ id: ids.next(), kind: 'fallback', ...targetOf(fallbackUrl) }]),
  ];
  await tx.query(statements.replaceRuleTargets, [
    qrCodeId,
    rows.map(({ id }) => id),
    rows.map(({ kind }) => kind),
    rows.map(({ url }) => url),
    rows.map(({ host }) => host),
    rows.map(({ urlHash }) => urlHash),
  ]);
  const kept = new Set(rows.map(({ id }) => id));
  const gone = before.rules.flatMap(({ id: ruleId, to }) =>
    to.flatMap(({ id, label, url }) => (kept.has(id) ? [] : [{ id, ruleId, label, url }])),
  );
  if (gone.length === 0) return;
  await tx.query(statements.keepRemovedTargets, [
    qrCodeId,
    gone.map(({ id }) => id),
    gone.map(({ ruleId }) => ruleId),
    gone.map(({ label }) => label),
    gone.map(({ url }) => url),
    now,
    maxRemoved,
  ]);
}

/** Runs in the transaction that deletes codes. Locks in one order, as every statement on many targets does. */
export async function removeTargets(tx: Database, qrCodeIds: readonly Uuid[]): Promise<void> {
  await tx.query(statements.deleteTargets, [qrCodeIds]);
  await tx.query(statements.deleteRemovedTargets, [qrCodeIds]);
}
