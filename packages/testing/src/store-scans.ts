import { createIngest } from '../../../apps/server/src/ingest/service.ts';
import { sql } from '../../../apps/server/src/platform/postgres/postgres.ts';
import { markUsedUp } from '../../../apps/server/src/qrcodes/targets/used-up.ts';
import type { Scan } from '../../../apps/server/src/scans/scan.ts';
import type { RowStore } from '../../../apps/server/src/scans/stores/row-storage.ts';
import type { TestApi } from './api.ts';
import { waitUntil } from './engines/wait.ts';
import { createMemoryLog } from './file-scan-log.ts';
import { batchOf } from './scan-ledger.ts';

let nextShard = 100;

/** Stores scans for analytics by running ingest, each time with its own log. */
export async function storeScans(
  { api: { db } }: Pick<TestApi, 'api'>,
  rows: RowStore,
  scans: readonly Scan[],
): Promise<void> {
  const log = createMemoryLog();
  const shard = nextShard++;
  const logger = { info() {}, warn: console.warn, error: console.error };
  const ingest = createIngest({ markUsedUp, db, rows, log, shard, logger, limits: { groupMs: 5 } });
  ingest.start();
  let end = 0;
  for (let at = 0; at < scans.length; at += 100) end = log.append(batchOf(...scans.slice(at, at + 100)));
  await waitUntil('the scans are stored', async () => (await db.query(storedTo, [shard, end])).length > 0);
  await ingest.stop();
}

const storedTo = sql(
  'test-stored-to',
  `select 1 as done from ingest_positions p where shard = $1 and position >= $2
      and not exists (select from ingest_groups g where g.shard = p.shard)`,
);
