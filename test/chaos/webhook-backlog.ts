import { setTimeout as pause } from 'node:timers/promises';
import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import { createTestDatabase } from '@signpost/testing/database.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { p99 } from '@signpost/testing/percentile.ts';
import { addCodes, batchOf, type Code, ids, scanOf } from '@signpost/testing/scan-ledger.ts';
import { createIngest } from '../../apps/server/src/ingest/service.ts';
import type { ClickHouse } from '../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { createNats, type Nats } from '../../apps/server/src/platform/nats/nats.ts';
import { createManager } from '../../apps/server/src/platform/nats/streams.ts';
import { createPostgres, type Postgres, sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { markUsedUp } from '../../apps/server/src/qrcodes/targets/used-up.ts';
import { encodeBatch } from '../../apps/server/src/scans/log/format/batch.ts';
import { createScanLog, type ScanLog } from '../../apps/server/src/scans/log/scan-log.ts';
import { ensureStreams } from '../../apps/server/src/scans/log/streams.ts';
import type { Scan } from '../../apps/server/src/scans/scan.ts';
import { createClickHouseRows } from '../../apps/server/src/scans/stores/clickhouse/clickhouse-rows.ts';
import { createQueue, type Queue } from '../../apps/server/src/webhooks/delivery/queue/queue.ts';
import { streamName } from '../../apps/server/src/webhooks/delivery/queue/queue-stream.ts';
import { createScanPublisher } from '../../apps/server/src/webhooks/delivery/scan-publisher.ts';

type Plan = {
  /** Undelivered webhooks of one account. */
  readonly messages: number;
  readonly maxPerAccount: number;
  /** How long each window of steady load lasts. */
  readonly seconds: number;
};

type Setup = {
  readonly db: Postgres;
  /** A pool of its own, so that its commits wait for the disk and not for a connection. */
  readonly bareDb: Postgres;
  readonly nats: Nats;
  readonly log: ScanLog;
  readonly queue: Queue;
  /** Age of every stored scan of the calm account since this was emptied: from the scan to its row, in ms. */
  readonly agesMs: number[];
  /** Webhooks that went to PostgreSQL, by reason. */
  readonly deferred: Record<string, number>;
  readonly busy: Code;
  readonly calm: Code;
};

/** The p99 of a window: the age of scans of the calm account, and the time of a bare commit beside them. */
type Window = { readonly ageMs: number; readonly bareMs: number };

const calmPerSecond = 100;
const tickMs = 50;
const scansPerBatch = 500;

/**
 * One shard with ingest, a scan log and a queue as in production, and no process that delivers. The calm account is scanned
 * steadily: alone, beside the backlog of the busy account, and while the queue does not answer.
 */
export async function proveBacklog(plan: Plan, print: (line: string) => void) {
  const [engine, { engine: store, clickhouse }] = await Promise.all([startNats(), startMigratedClickHouse()]);
  const databaseUrl = await createTestDatabase();
  const [db, bareDb] = [6, 2].map(databasePoolSize =>
    createPostgres(
      { databaseUrl, databasePooler: 'none', databasePoolSize, databaseTimeoutMs: 300_000 },
      () => undefined,
    ),
  ) as [Postgres, Postgres];
  await bareDb.query(createBareTable);
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
  const setup: Setup = { db, bareDb, nats, log, queue, agesMs, deferred, busy, calm };
  const ingest = createIngest({
    markUsedUp,
    db,
    rows: createClickHouseRows(recordAges(clickhouse, calm, agesMs)),
    log,
    publisher: createScanPublisher({
      db,
      queue,
      onDeferred: (reason, messages) => {
        deferred[reason] = (deferred[reason] ?? 0) + messages;
      },
    }),
    shard: 0,
    logger: { info() {}, warn: console.warn, error: console.error },
  });
  ingest.start();
  try {
    await steadyLoad(setup, 1);
    const alone = await steadyLoad(setup, plan.seconds);
    print(`alone: p99 ${alone.ageMs} ms from the scan to its row; bare commit p99 ${alone.bareMs} ms`);
    const { perSecond, maxMessages, maxBytes } = await pileUp(setup, plan.messages);
    print(
      `${plan.messages} webhooks: ${perSecond.toFixed(0)} a second, at most ${maxMessages} in NATS, ${maxBytes} bytes`,
    );
    await letPostgresRest(setup);
    const beside = await steadyLoad(setup, plan.seconds, true);
    print(
      `beside the backlog, with the busy account scanned too: p99 ${beside.ageMs} ms; bare commit p99 ${beside.bareMs} ms`,
    );
    const { dropped, doubled } = await drain(setup);
    const { silent, answered } = await whileSilent(setup, plan.seconds);
    print(
      `while the queue does not answer: p99 ${silent.ageMs} ms, ${answered} answers; bare commit p99 ${silent.bareMs} ms`,
    );
    const holds =
      dropped === 0 &&
      maxMessages <= 2 * plan.maxPerAccount &&
      beside.ageMs <= limitMs(alone, beside) &&
      silent.ageMs <= limitMs(alone, silent) &&
      answered === 0;
    return {
      messages: plan.messages,
      max_in_nats: maxMessages,
      max_bytes_in_nats: maxBytes,
      dropped,
      doubled,
      published_per_second: perSecond,
      alone_p99_ms: alone.ageMs,
      alone_bare_p99_ms: alone.bareMs,
      beside_p99_ms: beside.ageMs,
      beside_bare_p99_ms: beside.bareMs,
      beside_limit_ms: limitMs(alone, beside),
      silent_p99_ms: silent.ageMs,
      silent_bare_p99_ms: silent.bareMs,
      silent_answered: answered,
      holds,
    };
  } finally {
    await ingest.stop();
    await nats.close();
    await Promise.all([db.close(), bareDb.close(), clickhouse.close()]);
    await Promise.all([engine.remove(), store.remove()]);
  }
}

/** Twice as old as alone, or half a second older; and on a disk that stalls, three times a bare commit in the same window. */
const limitMs = (alone: Window, window: Window): number =>
  Math.max(2 * alone.ageMs, alone.ageMs + 500, alone.ageMs + 3 * window.bareMs);

/** Records how old the scans of a code are when their rows are stored. */
function recordAges(clickhouse: ClickHouse, { id }: Code, agesMs: number[]): ClickHouse {
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

/** Scans of the calm account, with scans of the busy one beside them on request. */
async function steadyLoad(setup: Setup, seconds: number, withBusy = false): Promise<Window> {
  setup.agesMs.length = 0;
  const perTick = (calmPerSecond * tickMs) / 1_000;
  const codes = withBusy ? [setup.calm, setup.busy] : [setup.calm];
  const stopCommits = startBareCommits(setup.bareDb);
  let sent = 0;
  for (const end = performance.now() + 1_000 * seconds; performance.now() < end; sent += perTick) {
    for (const code of codes)
      await append(
        setup.log,
        Array.from({ length: perTick }, () => scanOf(code, visitor++)),
      );
    await pause(tickMs);
  }
  await waitUntil('all of the calm account is stored', () => setup.agesMs.length >= sent, {
    timeoutMs: 60_000,
  });
  const commitsMs = await stopCommits();
  return { ageMs: Math.round(p99(setup.agesMs)), bareMs: Math.round(p99(commitsMs)) };
}

/**
 * Commits one row every 50 ms, whether or not the one before has ended: a stall of the disk delays all commits that fall
 * into it, as it delays all scans. The returned function stops it and resolves with the times of all commits.
 */
function startBareCommits(bareDb: Postgres): () => Promise<readonly number[]> {
  const commits: Promise<number>[] = [];
  const timer = setInterval(() => {
    const start = performance.now();
    commits.push(bareDb.query(addBareRow).then(() => performance.now() - start));
  }, tickMs);
  return () => {
    clearInterval(timer);
    return Promise.all(commits);
  };
}

/**
 * The pile-up leaves dirty pages, and the checkpoint that writes them would fall into the next window. It is not what is
 * measured: `checkpoint` returns when it has ended.
 */
async function letPostgresRest({ bareDb }: Setup): Promise<void> {
  await bareDb.query(checkpoint);
}

const append = (log: ScanLog, scans: readonly Scan[]) =>
  log.appender(0).append(encodeBatch(batchOf(...scans)), 5_000);

/** Publishes this many webhooks of the busy account, as fast as ingest counts their scans. */
async function pileUp(setup: Setup, messages: number) {
  const { log, nats } = setup;
  const { streams } = await createManager(nats.connection()!);
  let [maxMessages, maxBytes] = [0, 0];
  let isDone = false;
  const pollSize = async () => {
    while (!isDone) {
      // A busy NATS may be late with one answer; the next poll comes soon.
      const info = await streams.info(streamName).catch(() => null);
      maxMessages = Math.max(maxMessages, info?.state.messages ?? 0);
      maxBytes = Math.max(maxBytes, info?.state.bytes ?? 0);
      await pause(100);
    }
  };
  const polling = pollSize();
  const start = performance.now();
  for (let sent = 0; sent < messages; ) {
    const size = Math.min(scansPerBatch, messages - sent);
    // One visitor, so that webhooks are measured and not visitors.
    await append(
      log,
      Array.from({ length: size }, () => scanOf(setup.busy, 0)),
    );
    sent += size;
  }
  await allPublished(setup);
  const perSecond = messages / ((performance.now() - start) / 1_000);
  isDone = true;
  await polling;
  return { perSecond, maxMessages, maxBytes };
}

async function allPublished({ db, log }: Setup): Promise<void> {
  const end = await log.lastPosition(0);
  await waitUntil('all are published', async () => (await db.query(findPublished, [end])).length > 0, {
    timeoutMs: 3_600_000,
  });
}

/**
 * Compares the scans that were counted with the messages in the queue and in PostgreSQL, and empties the queue. `doubled`
 * messages are in both: NATS stored them but did not confirm in time. Their first delivery removes them from PostgreSQL.
 */
async function drain({ db, queue }: Setup) {
  const queued = new Set<string>();
  const { waiting, unacked } = await queue.depth();
  const stop = new AbortController();
  for await (const { message, ack } of queue.read(stop.signal, error => console.warn(error))) {
    queued.add(message.id);
    ack();
    if (queued.size === waiting + unacked) stop.abort();
  }
  const [row] = await db.query<{ counted: number; deferred: number; both: number }>(totals, [[...queued]]);
  const { counted, deferred, both } = row!;
  return { dropped: counted - (queued.size + deferred - both), doubled: both };
}

/** With a queue that takes messages and acks none. A missing queue would not do: the publisher would create it again. */
async function whileSilent(setup: Setup, seconds: number) {
  const { streams } = await createManager(setup.nats.connection()!);
  const { config } = await streams.info(streamName);
  await allPublished(setup);
  await streams.update(streamName, { ...config, no_ack: true });
  const before = setup.deferred.no_answer ?? 0;
  const silent = await steadyLoad(setup, seconds);
  await allPublished(setup);
  const unanswered = (setup.deferred.no_answer ?? 0) - before;
  return { silent, answered: setup.agesMs.length - unanswered };
}

const createBareTable = sql('backlog-create-bare', 'create table bare_commits (at timestamptz not null)');
const addBareRow = sql('backlog-add-bare', 'insert into bare_commits values (now())');
const checkpoint = sql('backlog-checkpoint', 'checkpoint');

const addEndpoint = sql(
  'backlog-add-endpoint',
  `insert into webhook_endpoints (id, account_id, mode, url, description, enabled, secret, created_at, updated_at)
   values ($1, $2, 'live', 'http://x', '', true, '', now(), now())`,
);

const findPublished = sql(
  'backlog-published',
  `select 1 as done from ingest_positions p where shard = 0 and position >= $1
      and not exists (select from ingest_groups g where g.shard = p.shard)`,
);

const totals = sql(
  'backlog-totals',
  `select (select sum(total_scans)::bigint from scan_counts) as counted,
          (select count(*) from webhook_messages) as deferred,
          (select count(*) from webhook_messages where id = any($1::uuid[])) as both`,
);
