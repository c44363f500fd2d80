import type { Style } from '@signpost/qr';
import type { Caller, Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { offsetOf, type Page, type Paged } from '../kernel/page.ts';
import { brokenUnique, type Database } from '../platform/postgres.ts';
import { toldOfHost } from '../suspensions/suspension.ts';
import { findBlocked, holdBlockList, refuseBlocked } from './block-list.ts';
import { hostAndParents } from './blocked-host.ts';
import type { QrCode, Status } from './qr-code.ts';
import { isLimited, type Room, type Used } from './room.ts';
import * as statements from './statements.ts';
import { targetOf, writeTarget } from './targets.ts';

/** Whose codes: an account in one mode. */
export type Owner = Pick<Caller, 'accountId' | 'mode'>;

/** Who makes or changes a code, for the quota and for the history. */
export type Maker = Owner & Pick<Caller, 'via'>;

/** A code with its short code settled, ready to be written. */
export type CodeToInsert = Pick<
  QrCode,
  'id' | 'name' | 'destinationUrl' | 'keySpace' | 'shortCode' | 'style'
> & {
  readonly status: 'active' | 'draft';
};

/** What became of an insert: the numbers of the new codes, or why there are none. */
export type Inserted =
  | readonly number[]
  /** Empty: one was unblocked meanwhile, so that the insert is worth another try. */
  | { readonly blockedHosts: readonly string[] }
  | 'full'
  | 'short_code_taken';

/** How many numbers share a row of `code_blocks`. The migration and the statements agree on it. */
export const blockSize = 1000;

/** All codes are written or none, under one lock of the account, so that every limit holds over all processes. */
export async function insertCodes(
  db: Database,
  owner: Maker,
  codes: readonly CodeToInsert[],
  room: Room,
  now: Date,
): Promise<Inserted> {
  const drafts = codes.filter(code => code.status === 'draft').length;
  const hosts = [...new Set(codes.flatMap(code => hostAndParents(code.destinationUrl)))];
  const targets = codes.map(code => targetOf(code.destinationUrl));
  try {
    const rows = await db.attempt<{ number: number }>(statements.insertCodes, [
      owner.accountId,
      owner.mode,
      codes.length,
      codes.length - drafts,
      drafts,
      room.all,
      room.byApi,
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
      codes.map(code => code.keySpace),
      room.bySessions,
      targets.map(target => target.host),
      targets.map(target => target.urlHash),
    ]);
    if (rows.length > 0) return rows.map(row => row.number);
    const blockedHosts = await findBlocked(db, hosts);
    return isLimited(room) && blockedHosts.length === 0 ? 'full' : { blockedHosts };
  } catch (error) {
    if (brokenUnique(error) === 'qr_codes_key') return 'short_code_taken';
    throw error;
  }
}

/**
 * Tries an insert again where tombstones of the owner's test codes were in its way. They go only if it succeeds. The locks are
 * taken in the order of every insert: in another one, two could wait for each other.
 */
export async function insertOverTombstones(
  db: Database,
  owner: Owner,
  keys: readonly string[],
  insert: (tx: Database) => Promise<Inserted>,
): Promise<Inserted> {
  let outcome: Inserted = 'short_code_taken';
  const undo = new Error('nothing was inserted');
  try {
    await db.transaction(async tx => {
      await holdBlockList(tx);
      await tx.query(statements.lockTally, [owner.accountId, owner.mode]);
      await tx.query(statements.releaseKeys, [owner.accountId, keys]);
      outcome = await insert(tx);
      if (!Array.isArray(outcome)) throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  return outcome;
}

/** Which of these keys cannot be had. */
export async function findTaken(db: Database, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ key: string }>(statements.findTaken, [keys]);
  return new Set(rows.map(row => row.key));
}

/** How many codes there are, by what limits count. */
export async function countUsed(db: Database, owner: Owner): Promise<Used> {
  const { active, paused, draft, made_by_api: byApi } = await findTally(db, owner);
  const all = active + paused + draft;
  return { all, byApi, bySessions: all - byApi };
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
    if (after.destinationUrl !== before.destinationUrl) await writeTarget(tx, id, after.destinationUrl);
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

const step = (status: Status, before: Status, after: Status) =>
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
  key_space: string;
  short_code: string;
  name: string;
  destination_url: string;
  style: Style;
  created_at: Date;
  updated_at: Date;
  total_scans: number;
  unique_scans: number;
  /** Only of a code that is read whole. */
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
  return { reason: toldOfHost(row.blocked_host, row.blocked_for ?? null), since: row.blocked_at };
}
