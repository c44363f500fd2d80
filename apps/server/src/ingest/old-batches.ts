import type { Uuid } from '../kernel/ids.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { batchIdsKeptDays } from './housekeeping.ts';
import type { Group } from './ingest.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** Clocks of redirects may be wrong by so much. */
const marginDays = 1;

/**
 * Batches that were counted so long ago that their ids are no longer kept. One that lay in the spool of a machine that
 * was off for weeks may be among them, also one whose id has a time to come, since that clock was wrong. Whether it was
 * counted, its rows tell. A batch is counted as a whole or not at all, and where all its codes were deleted since, it does
 * not count anyway.
 */
export async function countedLongAgo(
  clickhouse: ClickHouse,
  group: Group,
  nowMs: number,
  signal: AbortSignal,
): Promise<ReadonlySet<Uuid>> {
  const oldest = nowMs - (batchIdsKeptDays - marginDays) * dayMs;
  const newest = nowMs + marginDays * dayMs;
  const mayBeOld = (madeMs: number) => madeMs < oldest || madeMs > newest;
  const old = group.entries.filter(({ batch }) => batch.scans.length > 0 && mayBeOld(madeAtMs(batch.id)));
  if (old.length === 0) return new Set();
  const scans = old.flatMap(({ batch }) => batch.scans);
  const found = await clickhouse.query<{ id: Uuid }>(
    `select id from scans
      where account_id in {accounts: Array(UUID)} and qr_code_id in {codes: Array(UUID)} and id in {ids: Array(UUID)}`,
    {
      accounts: [...new Set(scans.map(scan => scan.accountId))],
      codes: [...new Set(scans.map(scan => scan.qrCodeId))],
      ids: scans.map(scan => scan.id),
    },
    { signal },
  );
  const stored = new Set(found.map(row => row.id));
  const counted = old.filter(({ batch }) => batch.scans.some(scan => stored.has(scan.id)));
  return new Set(counted.map(({ batch }) => batch.id));
}

/** An id begins with the time of its making. */
const madeAtMs = (id: Uuid) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
