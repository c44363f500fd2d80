import { setTimeout as pause } from 'node:timers/promises';
import { createIngest } from '../../apps/server/src/ingest/service.ts';
import type { ClickHouse } from '../../apps/server/src/platform/clickhouse.ts';
import { createNats, type Nats } from '../../apps/server/src/platform/nats.ts';
import { createPostgres, type Postgres, sql } from '../../apps/server/src/platform/postgres.ts';
import { managerOf } from '../../apps/server/src/platform/streams.ts';
import { sealBatch } from '../../apps/server/src/scans/batch.ts';
import type { Scan } from '../../apps/server/src/scans/scan.ts';
import { createScanLog, type ScanLog } from '../../apps/server/src/scans/scan-log.ts';
import { ensureStreams } from '../../apps/server/src/scans/scan-streams.ts';
import { createAnnouncer } from '../../apps/server/src/webhooks/announcer.ts';
import { createQueue, type Queue } from '../../apps/server/src/webhooks/queue.ts';
import { streamName } from '../../apps/server/src/webhooks/queue-stream.ts';
import { startNats } from '../../tools/engines/nats.ts';
import { waitUntil } from '../../tools/engines/wait.ts';
import { startMigratedClickHouse } from '../support/clickhouse.ts';
import { createTestDatabase } from '../support/database.ts';
import { p99 } from '../support/rank.ts';
import { addCodes, batchOf, type Code, ids, scanOf } from '../support/scan-ledger.ts';

type Plan = {
  /** Undelivered webhooks of one account. */
  readonly messages: number;
  readonly maxPerAccount: number;
  /** How long each steady load lasts. */
  readonly seconds: number;
};

type Stage = {
  readonly db: Postgres;
  readonly nats: Nats;
  readonly log: ScanLog;
  readonly queue: Queue;
  /** Of every scan of the calm account that was stored since this was emptied: from the scan to its row, in ms. */
  readonly agesMs: number[];
  /** Webhooks that went into PostgreSQL, by reason. */
  readonly deferred: Record<string, number>;
  readonly busy: Code;
  readonly calm: Code;
};

const calmPerSecond = 100;
const tickMs = 50;
const scansPerBatch = 500;

/**
 * One shard with ingest, a scan log and a queue as in life; nobody delivers. The calm account is scanned steadily: alone,
 * while the busy one's webhooks pile up behind the bound, and while the queue does not answer.
 */
export async function proveBacklog(plan: Plan, say: (line: string) => void) {
  const [engine, { engine: chdb, clickhouse }] = await Promise.all([startNats(), startMigratedClickHouse()]);
  const databaseUrl = await createTestDatabase();
  const db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 6, databaseTimeoutMs: 60_000 },
    () => undefined,
  );
  const nats = createNats(engine.url);
  const connection = await nats.whenConnected(AbortSignal.timeout(10_000));
  await ensureStreams(connection, { shards: 1, replicas: 1, maxAgeMs: 3_600_000, maxBytes: 2 ** 31 });
  const [busy, calm] = [(await addCodes(db, 1))[0]!, (await addCodes(db, 1))[0]!];
  for (const code of [busy, calm]) await db.query(addEndpoint, [ids.next(), code.accountId]);
  const log = createScanLog({ nats });
  const queue = createQueue(nats, {
    replicas: 1,
    maxMessages: 20 * plan.maxPerAccount,
    maxPerAccount: plan.maxPerAccount,
  });
  const agesMs: number[] = [];
  const deferred: Record<string, number> = {};
  const stage: Stage = { db, nats, log, queue, agesMs, deferred, busy, calm };
  const ingest = createIngest({
    db,
    clickhouse: watched(clickhouse, calm, agesMs),
    log,
    announcer: createAnnouncer({
      db,
      queue,
      deferred: (reason, messages) => {
        deferred[reason] = (deferred[reason] ?? 0) + messages;
      },
    }),
    shard: 0,
    logger: { info() {}, warn: console.warn, error: console.error },
  });
  ingest.start();
  try {
    await steady(stage, 1);
    const aloneMs = await steady(stage, plan.seconds);
    say(`alone: p99 ${aloneMs} ms from the scan to its row`);
    const { perSecond, mostMessages, mostBytes } = await pileUp(stage, plan.messages);
    say(
      `${plan.messages} webhooks: ${perSecond.toFixed(0)} a second, at most ${mostMessages} in NATS, ${mostBytes} bytes`,
    );
    const besideMs = await steady(stage, plan.seconds, true);
    say(`beside the backlog, and with the busy account scanned too: p99 ${besideMs} ms`);
    const { dropped, doubled } = await take(stage);
    const { silentMs, answered } = await whileSilent(stage, plan.seconds);
    say(`while the queue does not answer: p99 ${silentMs} ms, and ${answered} answers`);
    const mostMs = Math.max(2 * aloneMs, aloneMs + 500);
    const holds =
      dropped === 0 &&
      mostMessages <= 2 * plan.maxPerAccount &&
      besideMs <= mostMs &&
      silentMs <= mostMs &&
      answered === 0;
    return {
      messages: plan.messages,
      most_in_nats: mostMessages,
      most_bytes_in_nats: mostBytes,
      dropped,
      doubled,
      announced_per_second: perSecond,
      alone_p99_ms: aloneMs,
      beside_p99_ms: besideMs,
      silent_p99_ms: silentMs,
      silent_answered: answered,
      holds,
    };
  } finally {
    await ingest.stop();
    await nats.close();
    await db.close();
    await clickhouse.close();
    await Promise.all([engine.remove(), chdb.remove()]);
  }
}

/** Notes how old the scans of a code are when their rows are stored. */
function watched(clickhouse: ClickHouse, { id }: Code, agesMs: number[]): ClickHouse {
  return {
    ...clickhouse,
    async insert(table, rows, ...more) {
      await clickhouse.insert(table, rows, ...more);
      const [code, at] = ['qr_code_id', 'at'].map(name => table.columns.indexOf(name)) as [number, number];
      for (const row of rows) if (row[code] === id) agesMs.push(Date.now() - Number(row[at]) * 1_000);
    },
  };
}

let visitor = 0;

/** Scans of the calm account, and of the busy one beside them where that is asked for. The 99th of a hundred ages. */
async function steady(stage: Stage, seconds: number, withBusy = false): Promise<number> {
  stage.agesMs.length = 0;
  const perTick = (calmPerSecond * tickMs) / 1_000;
  const codes = withBusy ? [stage.calm, stage.busy] : [stage.calm];
  let sent = 0;
  for (const end = performance.now() + 1_000 * seconds; performance.now() < end; sent += perTick) {
    for (const code of codes)
      await append(
        stage.log,
        Array.from({ length: perTick }, () => scanOf(code, visitor++)),
      );
    await pause(tickMs);
  }
  await waitUntil('all of the calm account is stored', () => stage.agesMs.length >= sent, {
    timeoutMs: 60_000,
  });
  return Math.round(p99(stage.agesMs));
}

const append = (log: ScanLog, scans: readonly Scan[]) => log.append(sealBatch(batchOf(...scans)), 5_000);

/** Makes as many webhooks of the busy account, as fast as ingest counts their scans. */
async function pileUp(stage: Stage, messages: number) {
  const { log, nats } = stage;
  const { streams } = await managerOf(nats.connection()!);
  let [mostMessages, mostBytes] = [0, 0];
  let isDone = false;
  const watch = async () => {
    while (!isDone) {
      // A busy NATS may be late with one look; the next comes soon.
      const info = await streams.info(streamName).catch(() => null);
      mostMessages = Math.max(mostMessages, info?.state.messages ?? 0);
      mostBytes = Math.max(mostBytes, info?.state.bytes ?? 0);
      await pause(100);
    }
  };
  const watching = watch();
  const start = performance.now();
  for (let made = 0; made < messages; ) {
    const size = Math.min(scansPerBatch, messages - made);
    // One visitor, so that the figure is of webhooks, not of visitors.
    await append(
      log,
      Array.from({ length: size }, () => scanOf(stage.busy, 0)),
    );
    made += size;
  }
  await allAnnounced(stage);
  const perSecond = messages / ((performance.now() - start) / 1_000);
  isDone = true;
  await watching;
  return { perSecond, mostMessages, mostBytes };
}

async function allAnnounced({ db, log }: Stage): Promise<void> {
  const end = await log.lastPosition(0);
  await waitUntil('all are announced', async () => (await db.query(doneAt, [end])).length > 0, {
    timeoutMs: 3_600_000,
  });
}

/**
 * Compares what was counted with what is in the queue and in PostgreSQL, and empties the queue. Doubled is what NATS did not
 * answer for in time on a busy machine, and has all the same: the first delivery removes it from PostgreSQL.
 */
async function take({ db, queue }: Stage) {
  const queued = new Set<string>();
  const { waiting, underWay } = await queue.depth();
  const stop = new AbortController();
  for await (const { message, ack } of queue.read(stop.signal, error => console.warn(error))) {
    queued.add(message.id);
    ack();
    if (queued.size === waiting + underWay) stop.abort();
  }
  const [row] = await db.query<{ counted: number; deferred: number; both: number }>(totals, [[...queued]]);
  const { counted, deferred, both } = row!;
  return { dropped: counted - (queued.size + deferred - both), doubled: both };
}

/** With a queue that takes messages and acks none: nothing that is found missing, and made again, would end the silence. */
async function whileSilent(stage: Stage, seconds: number) {
  const { streams } = await managerOf(stage.nats.connection()!);
  const { config } = await streams.info(streamName);
  await allAnnounced(stage);
  await streams.update(streamName, { ...config, no_ack: true });
  const before = stage.deferred.no_answer ?? 0;
  const silentMs = await steady(stage, seconds);
  await allAnnounced(stage);
  const unanswered = (stage.deferred.no_answer ?? 0) - before;
  return { silentMs, answered: stage.agesMs.length - unanswered };
}

const addEndpoint = sql(
  'backlog-add-endpoint',
  `insert into webhook_endpoints (id, account_id, mode, url, description, enabled, secret, created_at, updated_at)
   values ($1, $2, 'live', 'http://x', '', true, '', now(), now())`,
);

const doneAt = sql(
  'backlog-done',
  `select 1 as done from ingest_positions p where shard = 0 and position >= $1
      and not exists (select from ingest_groups g where g.shard = p.shard)`,
);

const totals = sql(
  'backlog-totals',
  `select (select sum(total_scans)::bigint from scan_counts) as counted,
          (select count(*) from webhook_messages) as deferred,
          (select count(*) from webhook_messages where id = any($1::uuid[])) as both`,
);
