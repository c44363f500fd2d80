import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import { createTestDatabase } from '@signpost/testing/database.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFileLog } from '@signpost/testing/file-scan-log.ts';
import {
  addCodes,
  batchOf,
  countedIn,
  expectedCounts,
  scanOf,
  storedIn,
} from '@signpost/testing/scan-ledger.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createPostgres, sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import type { ScanBatch } from '../../apps/server/src/scans/scan.ts';

const program = new URL('../../packages/testing/src/ingest-process.ts', import.meta.url).pathname;
const logs = new URL('../../.logs/', import.meta.url).pathname;
const kills = Number(process.env.INGEST_KILLS ?? ciScale(40, 10));
const shards = [0, 1];

/** Two processes on the first shard, one of them on standby, and one on the second. */
const posts = [0, 0, 1];

async function createScene() {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const { engine, clickhouse } = await startMigratedClickHouse();
  onTestFinished(() => engine.remove());
  onTestFinished(() => clickhouse.close());
  const databaseUrl = await createTestDatabase(postgres.url);
  const db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 2, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
  onTestFinished(() => db.close());
  const dir = mkdtempSync(join(tmpdir(), 'signpost-log-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const log = createFileLog(dir);
  for (const shard of shards) log.create(shard);

  function start(post: number): ChildProcess {
    mkdirSync(logs, { recursive: true });
    const output = openSync(`${logs}ingest-${post}.log`, 'a');
    const args = [program, databaseUrl, engine.url, dir, String(posts[post])];
    const child = spawn(process.execPath, args, { stdio: ['ignore', output, output] });
    closeSync(output);
    return child;
  }
  return { postgres, engine, db, clickhouse, log, start };
}

test('whatever is killed, every accepted scan is counted and stored once, and every visitor is unique once', async () => {
  const { postgres, engine, db, clickhouse, log, start } = await createScene();
  const codes = await addCodes(db, 12);
  const workers = posts.map((_, post) => start(post));
  onTestFinished(() => {
    for (const worker of workers) worker.kill('SIGKILL');
  });

  const ledger: ScanBatch[] = [];
  const lengths = shards.map(() => 0);
  let writing = true;
  /** Some batches come twice: at once, much later, and on the other shard. */
  async function write(): Promise<void> {
    for (let n = 0; writing; n++) {
      const fresh = Array.from({ length: 12 }, () =>
        batchOf(
          ...Array.from({ length: 1 + Math.floor(Math.random() * 6) }, () =>
            scanOf(codes[Math.floor(Math.random() * codes.length)]!, Math.floor(Math.random() * 2_000)),
          ),
        ),
      );
      const again =
        n % 5 === 0 && ledger.length > 0 ? [ledger[Math.floor(Math.random() * ledger.length)]!] : [];
      ledger.push(...fresh);
      const batches = [...fresh, ...again, ...(n % 7 === 0 ? [fresh[0]!] : [])];
      const shard = n % 2;
      log.append(shard, batches);
      lengths[shard]! += batches.length;
      await pause(40);
    }
  }
  const written = write();

  for (let kill = 1; kill <= kills; kill++) {
    await pause(150 + Math.random() * 700);
    if (kill % 10 === 4) {
      await engine.kill('SIGKILL');
      await pause(Math.random() * 500);
      await engine.restart();
    } else if (kill % 10 === 9) {
      await postgres.stop('immediate');
      await pause(Math.random() * 500);
      await postgres.restart();
    } else {
      const post = kill % posts.length;
      const ended = once(workers[post]!, 'exit');
      workers[post]!.kill('SIGKILL');
      await ended;
      workers[post] = start(post);
    }
  }
  writing = false;
  await written;

  await waitUntil('everything is stored', async () => {
    const rows = await db.query<{ shard: number; position: number; open: number }>(progress);
    return shards.every(shard =>
      rows.some(row => row.shard === shard && row.position === lengths[shard] && row.open === 0),
    );
  });
  const expected = expectedCounts(ledger);
  const scans = ledger.reduce((sum, batch) => sum + batch.scans.length, 0);
  const stored = await storedIn(clickhouse);
  const counted = await countedIn(db);
  const total = (tally: typeof counted) => Object.values(tally).reduce((sum, one) => sum + one.total, 0);
  console.log(
    `ingest kills ${kills} accepted ${scans} rows ${total(stored.tally)} counted ${total(counted)} duplicates ${stored.duplicates}`,
  );
  expect(total(stored.tally)).toBe(scans);
  expect(counted).toEqual(expected);
  expect(stored).toEqual({ tally: expected, duplicates: 0, faults: [] });
});

const progress = sql(
  'test-progress',
  `select p.shard, p.position, (select count(*) from ingest_groups g where g.shard = p.shard) as open
     from ingest_positions p`,
);
