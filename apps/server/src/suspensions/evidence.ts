import type { Clock } from '../kernel/clock.ts';
import { hostOf, withParents } from '../kernel/hosts.ts';
import { type Uuid, zeroId } from '../kernel/ids.ts';
import type { BackgroundJob } from '../platform/background-jobs.ts';
import type { Database } from '../platform/postgres.ts';
import * as statements from './evidence-statements.ts';
import { blockedHostReason } from './suspension.ts';

/** What is kept of a suspended code when it is deleted. */
export type Evidence = { readonly deletedAt: Date; readonly known: Readonly<Record<string, unknown>> };

const retentionMs = 90 * 24 * 3_600_000;
const batchSize = 1000;

/** How many earlier destinations of a code are kept, the newest first. */
export const maxEarlierDestinations = 100;

/** A code that is to be deleted, with where it leads. */
type LeadingCode = { readonly id: Uuid; readonly destination_url: string };

/**
 * Part of the transaction that deletes codes of an account, after their targets were deleted and before the codes are changed. For
 * codes that are suspended, or whose account is, the suspension keeps a copy of what is known. The same goes for codes that lead to
 * a blocked host and were not yet marked. Nothing is kept of other codes.
 */
export async function keepEvidence(
  tx: Database,
  accountId: Uuid,
  codes: readonly LeadingCode[],
  now: Date,
): Promise<void> {
  const ids = codes.map(({ id }) => id);
  await markBlocked(tx, await findBlocked(tx, codes), now);
  if ((await tx.query(statements.concernsCodes, [accountId, ids])).length === 0) return;
  await tx.query(statements.lockOfCodes, [ids]);
  await tx.query(statements.keepEvidence, [accountId, ids, now, maxEarlierDestinations]);
  await tx.query(statements.deleteReleasedOfCodes, [accountId, ids]);
}

/** Which of these codes leave evidence when they are deleted. */
export async function evidenceDue(
  db: Database,
  accountId: Uuid,
  codes: readonly LeadingCode[],
): Promise<ReadonlySet<Uuid>> {
  const rows = await db.query<{ id: Uuid }>(statements.evidenceDue, [accountId, codes.map(({ id }) => id)]);
  const blocked = await findBlocked(db, codes);
  return new Set([...rows, ...blocked].map(({ id }) => id));
}

type BlockedCode = { readonly id: Uuid; readonly host: string; readonly reason: string };

/** Which of these codes lead to a blocked host, by one query. */
async function findBlocked(db: Database, codes: readonly LeadingCode[]): Promise<BlockedCode[]> {
  const leading = codes
    .filter(code => URL.canParse(code.destination_url))
    .map(({ id, destination_url: url }) => ({ id, hosts: withParents(hostOf(new URL(url))) }));
  const allHosts = [...new Set(leading.flatMap(code => code.hosts))];
  const rows = await db.query<{ host: string; owner_reason: string | null }>(statements.whichBlocked, [
    allHosts,
  ]);
  const reasons = new Map(rows.map(row => [row.host, blockedHostReason(row.host, row.owner_reason)]));
  return leading.flatMap(({ id, hosts }) => {
    const host = hosts.find(name => reasons.has(name));
    return host === undefined ? [] : [{ id, host, reason: reasons.get(host)! }];
  });
}

async function markBlocked(tx: Database, codes: readonly BlockedCode[], now: Date): Promise<void> {
  if (codes.length === 0) return;
  await tx.query(statements.markBlocked, [
    codes.map(({ id }) => id),
    codes.map(({ host }) => host),
    codes.map(({ reason }) => reason),
    now,
  ]);
}

/**
 * Before an account loses its people: copies their addresses to the suspensions of the codes that they created. For a suspended
 * account, its own evidence has its people.
 */
export async function saveMakers(db: Database, accountId: Uuid): Promise<void> {
  for (let after: Uuid | null = zeroId; after !== null; ) {
    const rows: { qr_code_id: Uuid }[] = await db.query(statements.openOfCodes, [
      accountId,
      after,
      batchSize,
    ]);
    if (rows.length > 0) await db.query(statements.saveMakers, [rows.map(({ qr_code_id: id }) => id)]);
    after = rows.length < batchSize ? null : rows.at(-1)!.qr_code_id;
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
    return (await db.query(statements.removeEvidence, [before, batchSize])).length === batchSize;
  },
});
