import { timeOfUuid, type Uuid } from '../kernel/ids.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Group } from './ingest.ts';
import { batchIdsKeptDays } from './prune.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** The clocks of redirects may be off by this much. */
const marginDays = 1;

/**
 * Batches that were counted so long ago that their ids have been pruned. A batch from the spool of a machine that was off
 * for weeks may be one, and so may a batch with an id in the future, from a machine whose clock was wrong. The rows in
 * ClickHouse show whether it was counted: a batch is counted as a whole or not at all, and if all of its codes were
 * deleted since, it does not count anyway.
 */
export async function countedLongAgo(
  clickhouse: ClickHouse,
  group: Group,
  nowMs: number,
  signal: AbortSignal,
): Promise<ReadonlySet<Uuid>> {
  const oldest = nowMs - (batchIdsKeptDays - marginDays) * dayMs;
  const newest = nowMs + marginDays * dayMs;
  const mayBeOld = (createdMs: number) => createdMs < oldest || createdMs > newest;
  const old = group.entries.filter(({ batch }) => batch.scans.length > 0 && mayBeOld(timeOfUuid(batch.id)));
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
