import { listEventValues, writeEvent } from '../../audit/writer.ts';
import type { AuditEvent } from '../../http/audited.ts';
import { toLinkKey } from '../../kernel/addresses/link-key.ts';
import type { Caller } from '../../kernel/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import { mapInTurns } from '../../kernel/running/cpu-queue.ts';
import { type Database, violatedUniqueIndex } from '../../platform/postgres/postgres.ts';
import { addCounts, lockCounts } from '../code-counts.ts';
import type { Owner, QrCode, Status } from '../qr-code.ts';
import * as statements from '../statements.ts';
import { listAllHosts } from '../targets/blocked-host.ts';
import { findBlocked, lockBlockList } from '../targets/blocked-hosts.ts';
import { toTarget } from '../targets/targets.ts';
import { type CodeLimits, isLimited } from './quota.ts';

/** Who creates a code, for the quota and for the history. */
export type Creator = Owner & Pick<Caller, 'via'>;

/** A code with its id and short code, ready to be written. */
export type CodeToInsert = Pick<
  QrCode,
  | 'id'
  | 'name'
  | 'destinationUrl'
  | 'keySpace'
  | 'shortCode'
  | 'domain'
  | 'style'
  | 'note'
  | 'externalId'
  | 'metadata'
  | 'routing'
> & {
  readonly status: Status;
};

/** What the database assigned to a new code. */
export type Inserted = { readonly number: number; readonly createdAt: Date };

/** One for each new code, or why none were inserted. */
export type InsertOutcome =
  | readonly Inserted[]
  /** Empty: the host was unblocked meanwhile, or another call added the counts; the insert should be tried again. */
  | { readonly blockedHosts: readonly string[] }
  | 'full'
  | 'short_code_taken'
  | 'external_id_taken';

export const isInserted = (outcome: InsertOutcome): outcome is readonly Inserted[] => Array.isArray(outcome);

/**
 * All codes are written or none, under the lock of the account's counts, so that limits hold over all processes. An event is
 * written with them, which locks the audit log: after it a transaction may lock nothing else.
 */
export async function insertCodes(
  db: Database,
  creator: Creator,
  codes: readonly CodeToInsert[],
  limits: CodeLimits,
  now: Date,
  event: AuditEvent | null = null,
): Promise<InsertOutcome> {
  const count = (status: Status) => codes.filter(code => code.status === status).length;
  const hosts = [...new Set((await mapInTurns(codes, listAllHosts)).flat())];
  const targets = await mapInTurns(codes, code => toTarget(code.destinationUrl));
  try {
    const rows = await db.attempt<{ number: number; created_at: Date }>(statements.insertCodes, [
      creator.accountId,
      creator.mode,
      codes.length,
      count('active'),
      count('draft'),
      limits.all,
      limits.byApi,
      now,
      codes.map(code => code.id),
      codes.map(code => code.status),
      codes.map(code => code.shortCode),
      codes.map(code => code.name),
      codes.map(code => code.destinationUrl),
      codes.map(code => JSON.stringify(code.style)),
      creator.via.kind === 'key' ? 'api' : 'dashboard',
      creator.via.id,
      hosts,
      codes.map(code => code.keySpace),
      limits.bySessions,
      targets.map(target => target.host),
      targets.map(target => target.urlHash),
      codes.map(code => code.note),
      codes.map(code => code.externalId),
      codes.map(code => JSON.stringify(code.metadata)),
      codes.map(toLinkKey),
      count('paused'),
      codes.map(code => code.domain),
      ...listEventValues(event),
    ]);
    if (rows.length > 0) return rows.map(row => ({ number: row.number, createdAt: row.created_at }));
    if (await addCounts(db, creator)) return await insertCodes(db, creator, codes, limits, now, event);
    const blockedHosts = await findBlocked(db, hosts);
    return isLimited(limits) && blockedHosts.length === 0 ? 'full' : { blockedHosts };
  } catch (error) {
    if (violatedUniqueIndex(error) === 'qr_codes_link_key') return 'short_code_taken';
    if (violatedUniqueIndex(error) === externalIdIndex) return 'external_id_taken';
    throw error;
  }
}

export const externalIdIndex = 'qr_codes_external_id';

export const externalIdTaken = (externalId: string) =>
  new AppError(
    'external_id_taken',
    `Another of your codes has the external id ${externalId}. Choose another, or update that code.`,
    { param: 'external_id' },
  );

/** Inserts codes with what other tables hold of them, all or none. Locks are taken in the order of every insert. */
export async function insertWithMore(
  db: Database,
  owner: Owner,
  insert: (tx: Database) => Promise<InsertOutcome>,
  writeMore: (tx: Database, inserted: readonly Inserted[]) => Promise<void>,
): Promise<InsertOutcome> {
  return db.transaction(async tx => {
    await lockBlockList(tx);
    await lockCounts(tx, owner);
    const outcome = await insert(tx);
    if (isInserted(outcome)) await writeMore(tx, outcome);
    return outcome;
  });
}

/** Writes the event of an insert when everything that it locks is locked. */
export async function insertWithEvent(
  db: Database,
  owner: Owner,
  event: AuditEvent,
  insert: (tx: Database) => Promise<InsertOutcome>,
): Promise<InsertOutcome> {
  return db.transaction(async tx => {
    const outcome = await insert(tx);
    if (isInserted(outcome)) await writeEvent(tx, owner, event);
    return outcome;
  });
}

/**
 * Retries an insert without the tombstones of the owner's codes that were in its way. They are removed only if it
 * succeeds. Locks are taken in the order of every insert: in another order two inserts could deadlock.
 */
export async function insertOverTombstones(
  db: Database,
  owner: Owner,
  keys: readonly string[],
  insert: (tx: Database) => Promise<InsertOutcome>,
): Promise<InsertOutcome> {
  let outcome: InsertOutcome = 'short_code_taken';
  const rollback = new Error('nothing was inserted');
  try {
    await db.transaction(async tx => {
      await lockBlockList(tx);
      await lockCounts(tx, owner);
      await tx.query(statements.releaseKeys, [owner.accountId, keys]);
      outcome = await insert(tx);
      if (!isInserted(outcome)) throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  return outcome;
}

/** Which of these keys are taken, each with whether the account may take it back from a code that it has deleted. */
export async function findTaken(
  db: Database,
  { accountId }: Owner,
  keys: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await db.query<{ key: string; reclaimable: boolean }>(statements.findTaken, [accountId, keys]);
  return new Map(rows.map(row => [row.key, row.reclaimable]));
}
