import { withParents } from '../kernel/addresses/hosts.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Uuid, zeroId } from '../kernel/ids.ts';
import type { BackgroundJob } from '../platform/background-jobs.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import * as statements from './evidence-statements.ts';
import { blockedHostReason } from './suspensions/suspension.ts';
import { findTargets, noTargets, toEvidence } from './targets.ts';

/** What is kept of a suspended code when it is deleted. */
export type Evidence = { readonly deletedAt: Date; readonly known: Readonly<Record<string, unknown>> };

const retentionMs = 90 * 24 * 3_600_000;
const rowsPerStep = 1000;

/** Targets that are kept per code: all current ones, of which a code has at most 502, and then the newest removed ones. */
export const maxEvidenceTargets = 600;
/** Codes whose targets are in memory at a time. */
const codesPerStep = 8;

/** A URL that a code leads to, with the id of the code. */
type LeadingTarget = { readonly id: Uuid; readonly url: string; readonly host: string };

/**
 * Part of the transaction that deletes codes of an account, after their current targets were deleted and before anything else of
 * them is. For codes that are suspended, or whose account is, the suspension keeps a copy of what is known. The same goes for
 * codes that lead to a blocked host and were not yet marked. Nothing is kept of other codes.
 */
export async function keepEvidence(
  tx: Database,
  accountId: Uuid,
  ids: readonly Uuid[],
  targets: readonly LeadingTarget[],
  now: Date,
): Promise<void> {
  await markBlocked(tx, accountId, await findBlocked(tx, targets), now);
  if ((await tx.query(statements.concernsCodes, [accountId, ids])).length === 0) return;
  await tx.query(statements.lockOfCodes, [ids]);
  for (let from = 0; from < ids.length; from += codesPerStep) {
    const batch = ids.slice(from, from + codesPerStep);
    const found = await findTargets(tx, batch, { limit: maxEvidenceTargets });
    const stored = batch.map(id => JSON.stringify((found.get(id) ?? noTargets).shown.map(toEvidence)));
    await tx.query(statements.keepEvidence, [accountId, batch, now, stored]);
  }
  await tx.query(statements.deleteReleasedOfCodes, [accountId, ids]);
}

type BlockedCode = {
  readonly id: Uuid;
  readonly host: string;
  readonly reason: string;
  /** The URL on the blocked host. */
  readonly url: string;
};

/** Which of these targets are on a blocked host, by one query: the first of each code. */
async function findBlocked(db: Database, targets: readonly LeadingTarget[]): Promise<BlockedCode[]> {
  const leading = targets.map(target => ({ ...target, hosts: withParents(target.host) }));
  const allHosts = [...new Set(leading.flatMap(({ hosts }) => hosts))];
  const rows = await db.query<{ host: string; owner_reason: string | null }>(statements.whichBlocked, [
    allHosts,
  ]);
  const reasons = new Map(rows.map(row => [row.host, blockedHostReason(row.host, row.owner_reason)]));
  const blocked = new Map<Uuid, BlockedCode>();
  for (const { id, url, hosts } of leading) {
    const host = hosts.find(name => reasons.has(name));
    if (host !== undefined && !blocked.has(id))
      blocked.set(id, { id, host, reason: reasons.get(host)!, url });
  }
  return [...blocked.values()];
}

async function markBlocked(
  tx: Database,
  accountId: Uuid,
  codes: readonly BlockedCode[],
  now: Date,
): Promise<void> {
  if (codes.length === 0) return;
  await tx.query(statements.markBlocked, [
    accountId,
    codes.map(({ id }) => id),
    codes.map(({ host }) => host),
    codes.map(({ reason }) => reason),
    codes.map(({ url }) => url),
    now,
  ]);
}

/**
 * Before an account loses people: copies their addresses to the suspensions of the codes that they created. For a suspended
 * account, its own evidence has its people.
 */
export async function saveMakers(db: Database, accountId: Uuid): Promise<void> {
  for (let after: Uuid | null = zeroId; after !== null; ) {
    const rows: { qr_code_id: Uuid }[] = await db.query(statements.openOfCodes, [
      accountId,
      after,
      rowsPerStep,
    ]);
    if (rows.length > 0) await db.query(statements.saveMakers, [rows.map(({ qr_code_id: id }) => id)]);
    after = rows.length < rowsPerStep ? null : rows.at(-1)!.qr_code_id;
  }
}

/** The same for an account that is being closed, before its name and its people are deleted. */
export async function keepAccountEvidence(tx: Database, accountId: Uuid, now: Date): Promise<void> {
  await tx.query(statements.keepAccountEvidence, [accountId, now]);
  await tx.query(statements.deleteReleasedOfAccount, [accountId]);
}

export async function findEvidence(db: Database, qrCodeId: Uuid): Promise<Evidence | null> {
  const [row] = await db.query<{ deleted_at: Date; evidence: Evidence['known'] }>(statements.readEvidence, [
    qrCodeId,
  ]);
  return row ? { deletedAt: row.deleted_at, known: row.evidence } : null;
}

export const createEvidenceCleanup = (db: Database, clock: Clock): BackgroundJob => ({
  name: 'remove old evidence',
  everyMs: 3_600_000,
  async run() {
    const before = new Date(clock.now().getTime() - retentionMs);
    return (await db.query(statements.removeEvidence, [before, rowsPerStep])).length === rowsPerStep;
  },
});
