import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createIngest } from '../../../apps/server/src/ingest/service.ts';
import { addCounts } from '../../../apps/server/src/ingest/statements.ts';
import { createClickHouse } from '../../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { createNats } from '../../../apps/server/src/platform/nats/nats.ts';
import { createPostgres, type Database } from '../../../apps/server/src/platform/postgres/postgres.ts';
import { markUsedUp } from '../../../apps/server/src/qrcodes/targets/used-up.ts';
import { createScanLog } from '../../../apps/server/src/scans/log/scan-log.ts';
import { createClickHouseRows } from '../../../apps/server/src/scans/stores/clickhouse/clickhouse-rows.ts';

type Settings = { readonly databaseUrl: string; readonly clickhouseUrl: string; readonly natsUrl: string };

/** A process that works on the shard that it is told to, until it is told another. */
export async function startShardWorker({ databaseUrl, clickhouseUrl, natsUrl }: Settings) {
  const child = fork(import.meta.filename, [databaseUrl, clickhouseUrl, natsUrl], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return {
    pid: child.pid!,
    /** Resolves when the worker of the shard before has stopped. */
    async work(shard: number) {
      child.send(shard);
      await once(child, 'message');
    },
    /** For how long it has held the row of a code's counts so far. */
    async lockedMs(): Promise<number> {
      child.send('locked');
      const [ms] = await once(child, 'message');
      return ms as number;
    },
    async end() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function obey([databaseUrl = '', clickhouseUrl = '', natsUrl = '']: readonly string[]): Promise<void> {
  const { db, lockedMs } = timeLocks(
    createPostgres(
      { databaseUrl, databasePooler: 'none', databasePoolSize: 4, databaseTimeoutMs: 30_000 },
      () => undefined,
    ),
  );
  const clickhouse = await createClickHouse(clickhouseUrl);
  const nats = createNats(natsUrl);
  await nats.whenConnected(AbortSignal.timeout(10_000));
  const log = createScanLog({ nats });
  const logger = { info() {}, warn: console.warn, error: console.error };
  let working: ReturnType<typeof createIngest> | undefined;
  process.on('message', async shard => {
    if (shard === 'locked') return process.send?.(lockedMs());
    await working?.stop();
    working = createIngest({
      markUsedUp,
      db,
      rows: createClickHouseRows(clickhouse),
      log,
      shard: shard as number,
      logger,
    });
    working.start();
    process.send?.('working');
  });
  process.send?.('ready');
}

/** Adds up the time from the statement that locks the counts of codes to the end of its transaction. */
function timeLocks(db: Database): { readonly db: Database; lockedMs(): number } {
  let sumMs = 0;
  return {
    db: {
      ...db,
      async transaction(work) {
        let sinceMs: number | undefined;
        const result = await db.transaction(tx =>
          work({
            ...tx,
            query(statement, values) {
              if (statement === addCounts) sinceMs = performance.now();
              return tx.query(statement, values);
            },
          }),
        );
        if (sinceMs !== undefined) sumMs += performance.now() - sinceMs;
        return result;
      },
    },
    lockedMs: () => sumMs,
  };
}

if (import.meta.main) await obey(process.argv.slice(2));
