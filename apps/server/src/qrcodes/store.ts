import { isDeepStrictEqual } from 'node:util';
import type { Style } from '@signpost/qr';
import type { Mode } from '../kernel/caller.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import { blockedHostReason } from '../moderation/suspensions/suspension.ts';
import { type Database, violatedUniqueIndex } from '../platform/postgres/postgres.ts';
import type { AppendedQuery } from '../rules/code-rules.ts';
import type { Rule } from '../rules/rule.ts';
import { countChanges, lockCounts } from './code-counts.ts';
import { externalIdIndex, externalIdTaken } from './creation/insertion.ts';
import { noteMassChange } from './edits/mass-changes.ts';
import type { Metadata, Owner, QrCode, Status } from './qr-code.ts';
import * as statements from './statements.ts';
import { sameTags } from './tags/tag.ts';
import { writeTags } from './tags/tag-writer.ts';
import { lockBlockList, refuseBlocked } from './targets/blocked-hosts.ts';
import { writeRules } from './targets/rules-store.ts';
import { toTarget, writeTargets } from './targets/targets.ts';

export async function findIdByExternalId(
  db: Database,
  { accountId, mode }: Owner,
  externalId: string,
): Promise<Uuid | null> {
  // PostgreSQL holds no text with it.
  if (externalId.includes('\0')) return null;
  const [row] = await db.query<{ id: Uuid }>(statements.findIdByExternalId, [accountId, mode, externalId]);
  return row?.id ?? null;
}

/** The codes of the owner that have one of these external ids. */
export async function findIdsByExternalIds(
  db: Database,
  { accountId, mode }: Owner,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, Uuid>> {
  // PostgreSQL holds no text with it.
  const possible = externalIds.filter(externalId => !externalId.includes('\0'));
  if (possible.length === 0) return new Map();
  const rows = await db.query<{ id: Uuid; external_id: string }>(statements.findIdsByExternalIds, [
    accountId,
    mode,
    possible,
  ]);
  return new Map(rows.map(row => [row.external_id, row.id]));
}

/** Until the transaction ends, no other one works on this external id of the owner. */
export async function lockExternalId(
  tx: Database,
  { accountId, mode }: Owner,
  externalId: string,
): Promise<void> {
  await tx.query(statements.lockExternalId, [accountId, mode, externalId]);
}

export async function findCode(db: Database, owner: Owner, id: Uuid): Promise<QrCode | null> {
  const [row] = await db.query<CodeRow>(statements.findCode, [id, owner.accountId, owner.mode]);
  return row ? toQrCode(row) : null;
}

/** Those of these codes that the owner has. */
export async function findCodes(
  db: Database,
  { accountId, mode }: Owner,
  ids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, QrCode>> {
  const rows = await db.query<CodeRow>(statements.findCodes, [ids, accountId, mode]);
  return new Map(rows.map(row => [row.id, toQrCode(row)]));
}

/** What labels and images show of a code. */
export type PrintedCode = Pick<
  QrCode,
  'id' | 'keySpace' | 'shortCode' | 'domain' | 'name' | 'externalId' | 'style'
> & {
  readonly placements: readonly { readonly key: string; readonly name: string }[];
};

/** The same of those that are printed. */
export async function findPrinted(
  db: Database,
  { accountId, mode }: Owner,
  ids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, PrintedCode>> {
  const rows = await db.query<CodeRow>(statements.findPrinted, [ids, accountId, mode]);
  return new Map(rows.map(row => [row.id, toPrinted(row)]));
}

/** Those of these codes that the owner has, locked until the transaction ends. */
export async function lockCodes(
  tx: Database,
  { accountId, mode }: Owner,
  ids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, QrCode>> {
  const rows = await tx.query<CodeRow>(statements.lockCodes, [ids, accountId, mode]);
  return new Map(rows.map(row => [row.id, toQrCode(row)]));
}

/** Which of these codes the owner has, locked until the transaction ends. */
export async function lockExisting(
  tx: Database,
  { accountId, mode }: Owner,
  ids: readonly Uuid[],
): Promise<ReadonlySet<Uuid>> {
  const rows = await tx.query<{ id: Uuid }>(statements.lockExisting, [ids, accountId, mode]);
  return new Set(rows.map(({ id }) => id));
}

/** Which of these codes the owner has. */
export async function findExisting(db: Database, owner: Owner, ids: readonly Uuid[]): Promise<Set<Uuid>> {
  return new Set((await findNames(db, owner, ids)).keys());
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
export type PublicCode = Pick<QrCode, 'keySpace' | 'shortCode' | 'domain' | 'style'> & {
  readonly deleted: boolean;
};

export async function findAny(db: Database, id: Uuid): Promise<PublicCode | null> {
  const [row] = await db.query<
    Pick<CodeRow, 'key_space' | 'short_code' | 'domain' | 'style'> & { status: string }
  >(statements.findAny, [id]);
  if (!row) return null;
  const { key_space: keySpace, short_code: shortCode, domain, style, status } = row;
  return { keySpace, shortCode, domain, style, deleted: status === 'deleted' };
}

/** What an edit may change, which decides what has to be locked before the code. */
export type EditEffects = {
  /**
   * It may change the status, the tags, the external id or whether it is archived: then the counts are locked, as by everything that changes these or
   * creates codes.
   */
  readonly changesCounts: boolean;
  /** It may change where scans are redirected to: then the host must not be blocked. */
  readonly changesTarget: boolean;
};

/** Reads a code, lets `decide` return its new state, and writes that. */
export function updateCode(
  db: Database,
  owner: Owner,
  id: Uuid,
  { changesCounts, changesTarget }: EditEffects,
  decide: (code: QrCode) => QrCode,
  { ids, record, finish }: Editor,
): Promise<QrCode | null> {
  return db.transaction(async tx => {
    if (changesTarget) await lockBlockList(tx);
    if (changesCounts) await lockCounts(tx, owner);
    const [row] = await tx.query<CodeRow>(statements.lockCode, [id, owner.accountId, owner.mode]);
    if (!row) return null;
    const before = toQrCode(row);
    const decided = decide(before);
    if (decided === before) return before;
    if (changesTarget && leadsElsewhere(before, decided)) await refuseBlocked(tx, decided);
    await writeCode(tx, decided);
    if (decided.routing !== before.routing)
      await writeRules(tx, ids, decided, before.routing, decided.updatedAt);
    if (decided.destinationUrl !== before.destinationUrl) {
      await writeTargets(tx, [{ id, destination_url: decided.destinationUrl }], decided.updatedAt);
      await noteMassChange(tx, owner, 'destination', 1, decided.updatedAt);
    }
    const after = { ...decided, tags: await replaceTags(tx, owner, ids, before, decided.tags) };
    await record(tx, before, after);
    await countChanges(tx, owner, [[before, after]]);
    await finish?.(tx, after);
    return after;
  });
}

/** Whether scans may be redirected to where they were not before. */
const leadsElsewhere = (before: QrCode, after: QrCode): boolean =>
  after.destinationUrl !== before.destinationUrl ||
  after.status !== before.status ||
  after.routing.fallbackUrl !== before.routing.fallbackUrl ||
  !isDeepStrictEqual(after.routing.rules, before.routing.rules);

/** Who edits: assigns the ids of new tags, and writes the history in the transaction of the edit. */
export type Editor = {
  readonly ids: Ids;
  record(tx: Database, before: QrCode, after: QrCode): Promise<void>;
  /** Runs last, when everything that the edit locks is locked. */
  finish?(tx: Database, after: QrCode): Promise<void>;
};

/** Replaces the tags of a code; returns their names as the account spells them. */
async function replaceTags(
  tx: Database,
  owner: Owner,
  ids: Ids,
  code: QrCode,
  tags: readonly string[],
): Promise<readonly string[]> {
  if (sameTags(code.tags, tags)) return code.tags;
  const written = await writeTags(tx, owner, ids, [{ ...code, tags, before: code.tags }]);
  return written.get(code.id)!;
}

async function writeCode(tx: Database, code: QrCode): Promise<void> {
  try {
    await tx.query(statements.updateCode, [
      code.id,
      code.name,
      code.destinationUrl,
      code.status,
      code.updatedAt,
      toTarget(code.destinationUrl).host,
      code.note,
      code.externalId,
      JSON.stringify(code.metadata),
      code.archived,
    ]);
  } catch (error) {
    if (violatedUniqueIndex(error) === externalIdIndex) throw externalIdTaken(code.externalId ?? '');
    throw error;
  }
}

export type CodeRow = {
  id: Uuid;
  mode: Mode;
  number: number;
  status: Status;
  made_by: 'api' | 'dashboard';
  key_space: string;
  short_code: string;
  domain: string | null;
  name: string;
  destination_url: string;
  style: Style;
  created_at: Date;
  updated_at: Date;
  total_scans: number;
  unique_scans: number;
  note: string | null;
  external_id: string | null;
  metadata: Metadata;
  starts_at: Date | null;
  expires_at: Date | null;
  max_scans: number | null;
  used_up_at: Date | null;
  revision: number;
  archived: boolean;
  /** Not read by lists. */
  rules?: readonly Rule[] | null;
  fallback_url?: string | null;
  forward_query?: boolean;
  append_query?: AppendedQuery | null;
  placements?: readonly PlacementRow[] | null;
  had_placements?: boolean;
  tags?: readonly string[];
} & StopRow;

export type StopRow = {
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
  domain: row.domain,
  status: row.status,
  archived: row.archived,
  style: row.style,
  totalScans: row.total_scans,
  uniqueScans: row.unique_scans,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  tags: row.tags ?? [],
  note: row.note,
  externalId: row.external_id,
  metadata: row.metadata,
  suspension: toSuspension(row),
  routing: {
    rules: row.rules ?? [],
    fallbackUrl: row.fallback_url ?? null,
    startsAt: row.starts_at,
    expiresAt: row.expires_at,
    maxScans: row.max_scans,
    forwardQuery: row.forward_query ?? false,
    appendQuery: row.append_query ?? {},
  },
  placements: toPlacements(row.placements ?? null),
  hadPlacements: row.had_placements ?? false,
  usedUpAt: row.used_up_at,
  revision: row.revision,
});

export type PlacementRow = { key: string; name: string; note: string | null; created_at: string };

export const toPlacements = (rows: readonly PlacementRow[] | null): QrCode['placements'] =>
  (rows ?? []).map(({ created_at: createdAt, ...placement }) => ({
    ...placement,
    createdAt: new Date(createdAt),
  }));

const toPrinted = (row: CodeRow): PrintedCode => ({
  id: row.id,
  keySpace: row.key_space,
  shortCode: row.short_code,
  domain: row.domain,
  name: row.name,
  externalId: row.external_id,
  style: row.style,
  placements: row.placements ?? [],
});

export function toSuspension(row: StopRow): QrCode['suspension'] {
  if (row.suspended_for && row.suspended_at) return { reason: row.suspended_for, since: row.suspended_at };
  if (!row.blocked_host || !row.blocked_at) return null;
  return { reason: blockedHostReason(row.blocked_host, row.blocked_for ?? null), since: row.blocked_at };
}
