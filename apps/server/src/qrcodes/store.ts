import type { Style } from '@signpost/qr';
import { requestErasure } from '../ingest/erasure-request.ts';
import type { Caller, Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { offsetOf, type Page, type Paged } from '../kernel/page.ts';
import { brokenUnique, type Database } from '../platform/postgres.ts';
import { findBlocked, holdBlockList, refuseBlocked } from './block-list.ts';
import { hostAndParents } from './blocked-host.ts';
import { eraseEdits } from './edits.ts';
import type { QrCode, Status } from './qr-code.ts';
import * as statements from './statements.ts';

/** Whose codes: an account in one mode. */
export type Owner = Pick<Caller, 'accountId' | 'mode'>;

/** Who makes or changes a code, for the quota and for the history. */
export type Maker = Owner & Pick<Caller, 'via'>;

/** A code with its short code settled, ready to be written. */
export type CodeToInsert = Pick<QrCode, 'id' | 'name' | 'destinationUrl' | 'shortCode' | 'style'> & {
  readonly status: 'active' | 'draft';
};

export type Quota = { readonly limit: number; readonly scope: 'api' | 'pool' };

/** What became of an insert: the numbers of the new codes, or why there are none. */
export type Inserted =
  | readonly number[]
  /** Empty: one was unblocked meanwhile, so that the insert is worth another try. */
  | { readonly blockedHosts: readonly string[] }
  | 'quota_exceeded'
  | 'short_code_taken';

/** How many numbers share a row of `code_blocks`. The migration and the statements agree on it. */
const blockSize = 1000;

/** All codes are written or none, under one lock of the account, so that a quota holds over all processes. */
export async function insertCodes(
  db: Database,
  owner: Maker,
  codes: readonly CodeToInsert[],
  quota: Quota | null,
  now: Date,
): Promise<Inserted> {
  const drafts = codes.filter(code => code.status === 'draft').length;
  const hosts = [...new Set(codes.flatMap(code => hostAndParents(code.destinationUrl)))];
  try {
    const rows = await db.attempt<{ number: number }>(statements.insertCodes, [
      owner.accountId,
      owner.mode,
      codes.length,
      codes.length - drafts,
      drafts,
      quota?.limit ?? null,
      quota?.scope ?? 'pool',
      now,
      codes.map(code => code.id),
      codes.map(code => code.status),
      codes.map(code => code.shortCode),
      codes.map(code => code.name),
      codes.map(code => code.destinationUrl),
      codes.map(code => JSON.stringify(code.style)),
      owner.via.kind === 'key' ? 'api' : 'dashboard',
      owner.via.id,
      hosts,
    ]);
    if (rows.length > 0) return rows.map(row => row.number);
    const blockedHosts = await findBlocked(db, hosts);
    return quota && blockedHosts.length === 0 ? 'quota_exceeded' : { blockedHosts };
  } catch (error) {
    if (brokenUnique(error) === 'qr_codes_short_code') return 'short_code_taken';
    throw error;
  }
}

/** Which of these folded short codes are in use or were once. */
export async function findTaken(db: Database, folded: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ folded: string }>(statements.findTaken, [folded]);
  return new Set(rows.map(row => row.folded));
}

/** How much of the quota is used. */
export async function countUsed(db: Database, owner: Owner, scope: Quota['scope']): Promise<number> {
  const tally = await findTally(db, owner);
  return scope === 'api' ? tally.made_by_api : tally.active + tally.paused + tally.draft;
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

/** Codes that were deleted so lately that scans of theirs may still be stored. */
export async function findJustDeleted(db: Database, owner: Owner): Promise<Uuid[]> {
  const rows = await db.query<{ id: Uuid }>(statements.findJustDeleted, [owner.accountId, owner.mode]);
  return rows.map(row => row.id);
}

/** What everybody may know of a code. */
export type PublicCode = { readonly shortCode: string; readonly style: Style; readonly deleted: boolean };

export async function findAny(db: Database, id: Uuid): Promise<PublicCode | null> {
  const [row] = await db.query<{ short_code: string; style: Style; status: string }>(statements.findAny, [
    id,
  ]);
  return row ? { shortCode: row.short_code, style: row.style, deleted: row.status === 'deleted' } : null;
}

/** Newest first. However far down the page lies, at most a block of codes is stepped over. */
export async function listCodes(
  db: Database,
  owner: Owner,
  page: Page,
  status: Status | null,
): Promise<Paged<QrCode>> {
  const offset = offsetOf(page);
  const tally = await findTally(db, owner);
  const start = await findStart(db, owner, offset, status);
  const total = status ? tally[status] : tally.active + tally.paused + tally.draft;
  if (offset >= total || !start) return { items: [], page, total };
  const range = [owner.accountId, owner.mode, start.below, start.skip, page.limit];
  const rows = status
    ? await db.query<CodeRow>(statements.listCodesByStatus, [...range, status])
    : await db.query<CodeRow>(statements.listCodes, range);
  return { items: rows.map(toQrCode), page, total };
}

type Start = { readonly below: number; readonly skip: number };

/** The number below which to start and how many codes to skip from there; null where the list is shorter. */
async function findStart(
  db: Database,
  owner: Owner,
  offset: number,
  status: Status | null,
): Promise<Start | null> {
  if (offset < blockSize) return { below: Number.MAX_SAFE_INTEGER, skip: offset };
  const [row] = await db.query<{ block: number; before: number }>(statements.findBlock, [
    owner.accountId,
    owner.mode,
    status,
    offset,
  ]);
  return row ? { below: (row.block + 1) * blockSize, skip: offset - row.before } : null;
}

/** What an edit may do, for what has to be locked before the code is. */
export type Reach = {
  /** It may change the status: then the tally is locked, as by everything that changes counts. */
  readonly counts: boolean;
  /** It says where scans are sent: then the host must not be blocked. */
  readonly leads: boolean;
};

/** Reads a code, lets `decide` say what it becomes, and writes that. `record` writes down what was changed. */
export function updateCode(
  db: Database,
  owner: Owner,
  id: Uuid,
  { counts, leads }: Reach,
  decide: (code: QrCode) => QrCode,
  record: (tx: Database, before: QrCode, after: QrCode) => Promise<void>,
): Promise<QrCode | null> {
  return db.transaction(async tx => {
    if (leads) await holdBlockList(tx);
    if (counts) await tx.query(statements.lockTally, [owner.accountId, owner.mode]);
    const [row] = await tx.query<CodeRow>(statements.lockCode, [id, owner.accountId, owner.mode]);
    if (!row) return null;
    const before = toQrCode(row);
    const after = decide(before);
    if (after === before) return before;
    if (leads) await refuseBlocked(tx, after.destinationUrl);
    await tx.query(statements.updateCode, [
      id,
      after.name,
      after.destinationUrl,
      after.status,
      after.updatedAt,
    ]);
    await record(tx, before, after);
    if (after.status !== before.status) {
      await tx.query(statements.adjustCounts, [
        owner.accountId,
        owner.mode,
        Math.floor(before.number / blockSize),
        step('active', before.status, after.status),
        step('paused', before.status, after.status),
        step('draft', before.status, after.status),
        0,
      ]);
    }
    return after;
  });
}

/** Leaves a tombstone and frees the place in the quota. The short code, or null where there was no such code. */
export function deleteCode(db: Database, owner: Owner, id: Uuid, now: Date): Promise<string | null> {
  return db.transaction(async tx => {
    await tx.query(statements.lockTally, [owner.accountId, owner.mode]);
    const [row] = await tx.query<CodeRow>(statements.lockCode, [id, owner.accountId, owner.mode]);
    if (!row) return null;
    const block = Math.floor(row.number / blockSize);
    await tx.query(statements.buryCode, [id, now]);
    await tx.query(statements.deleteScanCounts, [id]);
    await eraseEdits(tx, id);
    await requestErasure(tx, id, now);
    await tx.query(statements.adjustCounts, [
      owner.accountId,
      owner.mode,
      block,
      step('active', row.status, null),
      step('paused', row.status, null),
      step('draft', row.status, null),
      row.made_by === 'api' ? -1 : 0,
    ]);
    await tx.query(statements.deleteEmptyBlock, [owner.accountId, owner.mode, block]);
    return row.short_code;
  });
}

const step = (status: Status, before: Status, after: Status | null) =>
  Number(after === status) - Number(before === status);

type Tally = { active: number; paused: number; draft: number; made_by_api: number };

async function findTally(db: Database, owner: Owner): Promise<Tally> {
  const [row] = await db.query<Tally>(statements.findTally, [owner.accountId, owner.mode]);
  return row ?? { active: 0, paused: 0, draft: 0, made_by_api: 0 };
}

export type CodeRow = {
  id: Uuid;
  mode: Mode;
  number: number;
  status: Status;
  made_by: 'api' | 'dashboard';
  short_code: string;
  name: string;
  destination_url: string;
  style: Style;
  created_at: Date;
  updated_at: Date;
  total_scans: number;
  unique_scans: number;
};

export const toQrCode = (row: CodeRow): QrCode => ({
  id: row.id,
  number: row.number,
  name: row.name,
  destinationUrl: row.destination_url,
  shortCode: row.short_code,
  status: row.status,
  style: row.style,
  totalScans: row.total_scans,
  uniqueScans: row.unique_scans,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
