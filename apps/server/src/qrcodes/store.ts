import type { Style } from '@signpost/qr';
import type { Caller, Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { offsetOf, type Page, type Paged } from '../kernel/page.ts';
import { type Database, violatedUniqueIndex } from '../platform/postgres.ts';
import { blockedHostReason } from '../suspensions/suspension.ts';
import { hostAndParents } from './blocked-host.ts';
import { findBlocked, lockBlockList, refuseBlocked } from './blocked-hosts.ts';
import { countStatusChange, findCounts, findListStart, lockCounts } from './code-counts.ts';
import type { Owner, QrCode, Status } from './qr-code.ts';
import { type CodeLimits, isLimited } from './quota.ts';
import * as statements from './statements.ts';
import { targetOf, writeTargets } from './targets.ts';

/** Who creates a code, for the quota and for the history. */
export type Creator = Owner & Pick<Caller, 'via'>;

/** A code with its id and short code, ready to be written. */
export type CodeToInsert = Pick<
  QrCode,
  'id' | 'name' | 'destinationUrl' | 'keySpace' | 'shortCode' | 'style'
> & {
  readonly status: 'active' | 'draft';
};

/** The numbers of the new codes, or why none were inserted. */
export type InsertOutcome =
  | readonly number[]
  /** Empty: the host was unblocked meanwhile, so the insert should be tried again. */
  | { readonly blockedHosts: readonly string[] }
  | 'full'
  | 'short_code_taken';

/** All codes are written or none, under the lock of the account's counts, so that limits hold over all processes. */
export async function insertCodes(
  db: Database,
  creator: Creator,
  codes: readonly CodeToInsert[],
  limits: CodeLimits,
  now: Date,
): Promise<InsertOutcome> {
  const drafts = codes.filter(code => code.status === 'draft').length;
  const hosts = [...new Set(codes.flatMap(code => hostAndParents(code.destinationUrl)))];
  const targets = codes.map(code => targetOf(code.destinationUrl));
  try {
    const rows = await db.attempt<{ number: number }>(statements.insertCodes, [
      creator.accountId,
      creator.mode,
      codes.length,
      codes.length - drafts,
      drafts,
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
    ]);
    if (rows.length > 0) return rows.map(row => row.number);
    const blockedHosts = await findBlocked(db, hosts);
    return isLimited(limits) && blockedHosts.length === 0 ? 'full' : { blockedHosts };
  } catch (error) {
    if (violatedUniqueIndex(error) === 'qr_codes_key') return 'short_code_taken';
    throw error;
  }
}

/**
 * Retries an insert without the tombstones of the owner's test codes that were in its way. They are removed only if it
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
      if (!Array.isArray(outcome)) throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  return outcome;
}

/** Which of these keys are taken. */
export async function findTaken(db: Database, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ key: string }>(statements.findTaken, [keys]);
  return new Set(rows.map(row => row.key));
}

export async function findCode(db: Database, owner: Owner, id: Uuid): Promise<QrCode | null> {
  const [row] = await db.query<CodeRow>(statements.findCode, [id, owner.accountId, owner.mode]);
  return row ? toQrCode(row) : null;
}

/** The names of those that the owner has. */
export async function findNames(
  db: Database,
  owner: Owner,
  ids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: Uuid; name: string }>(statements.findNames, [
    owner.accountId,
    owner.mode,
    ids,
  ]);
  return new Map(rows.map(row => [row.id, row.name]));
}

/** Codes deleted so recently that their scans may still be stored. */
export async function findJustDeleted(db: Database, owner: Owner): Promise<Uuid[]> {
  const rows = await db.query<{ id: Uuid }>(statements.findJustDeleted, [owner.accountId, owner.mode]);
  return rows.map(row => row.id);
}

/** What is public about a code. */
export type PublicCode = Pick<QrCode, 'keySpace' | 'shortCode' | 'style'> & { readonly deleted: boolean };

export async function findAny(db: Database, id: Uuid): Promise<PublicCode | null> {
  const [row] = await db.query<Pick<CodeRow, 'key_space' | 'short_code' | 'style'> & { status: string }>(
    statements.findAny,
    [id],
  );
  if (!row) return null;
  const { key_space: keySpace, short_code: shortCode, style, status } = row;
  return { keySpace, shortCode, style, deleted: status === 'deleted' };
}

/** Newest first. However far down the page is, at most one bucket of codes is skipped over. */
export async function listCodes(
  db: Database,
  owner: Owner,
  page: Page,
  status: Status | null,
): Promise<Paged<QrCode>> {
  const offset = offsetOf(page);
  const counts = await findCounts(db, owner);
  const start = await findListStart(db, owner, offset, status);
  const total = status ? counts[status] : counts.active + counts.paused + counts.draft;
  if (offset >= total || !start) return { items: [], page, total };
  const range = [owner.accountId, owner.mode, start.below, start.skip, page.limit];
  const rows = status
    ? await db.query<CodeRow>(statements.listCodesByStatus, [...range, status])
    : await db.query<CodeRow>(statements.listCodes, range);
  return { items: rows.map(toQrCode), page, total };
}

/** What an edit may change, which decides what has to be locked before the code. */
export type EditScope = {
  /** It may change the status: then the counts are locked, as by everything that changes them. */
  readonly changesCounts: boolean;
  /** It may change where scans are redirected to: then the host must not be blocked. */
  readonly changesTarget: boolean;
};

/** Reads a code, lets `decide` return its new state, and writes that. `record` writes the history. */
export function updateCode(
  db: Database,
  owner: Owner,
  id: Uuid,
  { changesCounts, changesTarget }: EditScope,
  decide: (code: QrCode) => QrCode,
  record: (tx: Database, before: QrCode, after: QrCode) => Promise<void>,
): Promise<QrCode | null> {
  return db.transaction(async tx => {
    if (changesTarget) await lockBlockList(tx);
    if (changesCounts) await lockCounts(tx, owner);
    const [row] = await tx.query<CodeRow>(statements.lockCode, [id, owner.accountId, owner.mode]);
    if (!row) return null;
    const before = toQrCode(row);
    const after = decide(before);
    if (after === before) return before;
    if (changesTarget) await refuseBlocked(tx, after.destinationUrl);
    await tx.query(statements.updateCode, [
      id,
      after.name,
      after.destinationUrl,
      after.status,
      after.updatedAt,
    ]);
    if (after.destinationUrl !== before.destinationUrl)
      await writeTargets(tx, [{ id, destination_url: after.destinationUrl }]);
    await record(tx, before, after);
    if (after.status !== before.status)
      await countStatusChange(tx, owner, before.number, before.status, after.status);
    return after;
  });
}

export type CodeRow = {
  id: Uuid;
  mode: Mode;
  number: number;
  status: Status;
  made_by: 'api' | 'dashboard';
  key_space: string;
  short_code: string;
  name: string;
  destination_url: string;
  style: Style;
  created_at: Date;
  updated_at: Date;
  total_scans: number;
  unique_scans: number;
  /** Not read by lists. */
  suspended_for?: string | null;
  suspended_at?: Date | null;
  blocked_host?: string | null;
  blocked_for?: string | null;
  blocked_at?: Date | null;
};

export const toQrCode = (row: CodeRow): QrCode => ({
  id: row.id,
  number: row.number,
  name: row.name,
  destinationUrl: row.destination_url,
  keySpace: row.key_space,
  shortCode: row.short_code,
  status: row.status,
  style: row.style,
  totalScans: row.total_scans,
  uniqueScans: row.unique_scans,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  suspension: suspensionOf(row),
});

function suspensionOf(row: CodeRow): QrCode['suspension'] {
  if (row.suspended_for && row.suspended_at) return { reason: row.suspended_for, since: row.suspended_at };
  if (!row.blocked_host || !row.blocked_at) return null;
  return { reason: blockedHostReason(row.blocked_host, row.blocked_for ?? null), since: row.blocked_at };
}
