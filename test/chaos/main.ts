import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ask } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { parseId } from '../../apps/server/src/kernel/ids.ts';
import { createClickHouse } from '../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { readReportedCounts } from './reported-counts.ts';
import { proveSolo } from './solo.ts';

/**
 * `npm run chaos [-- --short] [--shards N] [--store clickhouse]`: sends scans while processes and engines are killed, stopped (SIGSTOP), lose their data or
 * get a wrong clock. A ledger on the client side records every response.
 * At the end each accepted scan is in the store once, in the counters once, and in summaries, series and exports.
 * Replaying the log changes nothing. With `--solo` the service is one process and PostgreSQL (`solo.ts`).
 */
const { values } = parseArgs({
  options: {
    short: { type: 'boolean' },
    seconds: { type: 'string' },
    shards: { type: 'string', default: '2' },
    solo: { type: 'boolean' },
    store: { type: 'string', default: 'postgres' },
  },
});
const seconds = Number(values.seconds ?? (values.short ? 40 : 600));
const scansPerSecond = 300;
const faultEveryMs = values.short ? 1500 : 4500;
const codeCount = 200;
const phones = 40;

const storedRows = sql(
  'chaos-stored-rows',
  `select qr_code_id as code, count(*) as rows, count(distinct id) as ids,
          count(*) filter (where is_unique) as "uniqueRows", count(distinct visitor) as visitors
     from scans group by qr_code_id`,
);

if (values.solo) process.exit((await proveSolo(seconds)) ? 0 : 1);

const shards = Number(values.shards);
if (values.store !== 'postgres' && values.store !== 'clickhouse')
  throw new Error(`--store is postgres or clickhouse, not ${values.store}`);
const cluster = await openCluster({ codeCount, shards }, values.store);
const ledger = createLedger();
const stopping = new AbortController();
console.log(
  `${cluster.faults.length} kinds of fault, ${codeCount} codes, ${shards} shards, scans in ${values.store}, ${seconds} s`,
);

const [done] = await Promise.all([disturb(cluster), sendScans(cluster, ledger)]);
const { accepted, unanswered, refused } = ledger.totals;
console.log(
  `accepted ${accepted}, no response ${unanswered}, refused ${JSON.stringify([...refused])}; settling`,
);
const faults = await settleAndCompare(cluster, ledger);
faults.push(...(await compareReportedCounts(cluster)), ...(await unusedShards(cluster)));
for (let round = 1; round <= 3; round++) faults.push(...(await replayLog(cluster, ledger, round)));
faults.push(...(await compareReportedCounts(cluster)));
for (const fault of faults.slice(0, 20)) console.log(fault);
await cluster.close();

const lost = faults.filter(fault => fault.startsWith('lost')).length;
const duplicated = faults.filter(fault => fault.startsWith('duplicated')).length;
console.log(
  `chaos accepted ${accepted} unanswered ${unanswered} lost ${lost} duplicated ${duplicated} other ${faults.length - lost - duplicated} faults ${done}`,
);
process.exit(faults.length === 0 && accepted >= seconds * scansPerSecond * 0.5 ? 0 : 1);

/** Causes every fault, in random order, one at a time, and undoes each after a moment. */
async function disturb({ faults }: Cluster): Promise<number> {
  const endsAt = performance.now() + seconds * 1000;
  let done = 0;
  let order: (typeof faults)[number][] = [];
  while (performance.now() < endsAt - 5000) {
    await sleep(faultEveryMs * (0.5 + Math.random()));
    if (order.length === 0)
      order = faults
        .map(fault => ({ fault, by: Math.random() }))
        .sort((a, b) => a.by - b.by)
        .map(({ fault }) => fault);
    const fault = order.pop()!;
    await fault.begin();
    done++;
    await sleep(Math.random() * 3000);
    await fault.end();
    console.log(
      `${Math.round((endsAt - performance.now()) / 1000)} s left, ${ledger.totals.accepted} accepted, ${fault.name}`,
    );
  }
  await sleep(Math.max(0, endsAt - performance.now()));
  stopping.abort();
  return done;
}

/** A steady stream of scans by a few dozen phones. A scan without a response is recorded as such. */
async function sendScans({ edges, codes }: Cluster, ledger: Ledger): Promise<void> {
  const lanes = 24;
  const everyMs = (lanes * 1000) / (scansPerSecond * 1.15);
  let next = 0;
  async function lane(): Promise<void> {
    while (!stopping.signal.aborted) {
      const dueAt = performance.now() + everyMs;
      const number = next++;
      const { path } = codes[(number * 7) % codes.length]!;
      const agent = `Mozilla/5.0 (Linux; Android 15; Phone ${number % phones}) Chrome/141.0 Mobile Safari/537.36`;
      try {
        const url = `${edges[number % edges.length]!.url}${path}`;
        const { status } = await ask({ url, headers: { 'user-agent': agent }, timeoutMs: 15_000 });
        if (status === 302) ledger.accepted(path);
        else ledger.refused(status);
      } catch {
        ledger.unanswered(path);
        await sleep(50);
      }
      await sleep(Math.max(0, dueAt - performance.now()));
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
}

type Counts = {
  rows: number;
  ids: number;
  uniqueRows: number;
  visitors: number;
  total: number;
  unique: number;
};

/** By the path of the short link: what the store holds, and what is counted. */
async function readCounts({ fixture, codes, clickhouse }: Cluster): Promise<Map<string, Counts>> {
  const rows = clickhouse ? await readClickHouse(clickhouse.url) : await fixture.db.query<Row>(storedRows);
  const counters = await fixture.db.query<{ qr_code_id: string; total_scans: number; unique_scans: number }>({
    name: 'chaos-counters',
    text: 'select qr_code_id, total_scans, unique_scans from scan_counts',
  });
  return new Map(
    codes.map(({ id, path }) => {
      const uuid = parseId('qr', id)!;
      const found = rows.find(row => row.code === uuid) ?? { rows: 0, ids: 0, uniqueRows: 0, visitors: 0 };
      const counted = counters.find(row => row.qr_code_id === uuid);
      return [path, { ...found, total: counted?.total_scans ?? 0, unique: counted?.unique_scans ?? 0 }];
    }),
  );
}

type Row = { code: string; rows: number; ids: number; uniqueRows: number; visitors: number };

async function readClickHouse(url: string): Promise<Row[]> {
  const client = await createClickHouse(url);
  try {
    return await client.query<Row>(
      `select toString(qr_code_id) as code, count() as rows, uniqExact(id) as ids, countIf(is_unique) as uniqueRows,
              uniqExact(visitor) as visitors from scans group by qr_code_id`,
    );
  } finally {
    await client.close();
  }
}

function faultsOf(ledger: Ledger, counts: Map<string, Counts>): string[] {
  return [...counts].flatMap(([code, { rows, ids, uniqueRows, visitors, total, unique }]) => {
    const { accepted = 0, unanswered = 0 } = ledger.codes.get(code) ?? {};
    return [
      rows < accepted ? `lost: ${code} has ${rows} rows of ${accepted} accepted` : '',
      rows > accepted + unanswered
        ? `duplicated: ${code} has ${rows} rows of ${accepted} accepted and ${unanswered} unanswered`
        : '',
      rows !== ids ? `duplicated: ${code} has ${rows} rows of ${ids} scans` : '',
      rows !== total ? `differs: ${code} has ${rows} rows and ${total} in its counter` : '',
      uniqueRows !== unique || visitors !== unique
        ? `differs: ${code} has ${uniqueRows} unique rows, ${visitors} visitors, ${unique} in its counter`
        : '',
    ].filter(fault => fault !== '');
  });
}

/** Waits until everything in flight has arrived, then compares. */
async function settleAndCompare(cluster: Cluster, ledger: Ledger): Promise<string[]> {
  let faults: string[] = ['not compared yet'];
  await waitUntil(
    'everything has arrived',
    async () => {
      faults = faultsOf(ledger, await readCounts(cluster));
      return faults.length === 0;
    },
    { timeoutMs: 240_000, everyMs: 1000 },
  ).catch(() => undefined);
  return faults;
}

/** Compares what the API reports for each code with the rows that are stored. */
async function compareReportedCounts(cluster: Cluster): Promise<string[]> {
  const counts = await readCounts(cluster);
  const reported = await readReportedCounts(cluster);
  const total = [...reported.values()].reduce((sum, counts) => sum + counts.summary, 0);
  console.log(`summaries, series and exports of ${reported.size} codes compared, ${total} scans`);
  return [...reported].flatMap(([code, { summary, series, exported, visitors }]) => {
    const { rows, visitors: distinct } = counts.get(code)!;
    return summary === rows && series === rows && exported === rows && visitors === distinct
      ? []
      : `differs: ${code} has ${rows} rows of ${distinct} visitors; summary ${summary} of ${visitors}, series ${series}, export ${exported}`;
  });
}

/** Resets the position to the beginning, so that the whole log is replayed, and expects no change. */
async function replayLog(cluster: Cluster, ledger: Ledger, round: number): Promise<string[]> {
  const before = await readCounts(cluster);
  const ends = await positionsOf(cluster);
  for (const ingest of cluster.ingests) await ingest.end('SIGTERM');
  await cluster.fixture.db.query({
    name: 'chaos-replay-log',
    text: 'update ingest_positions set position = 0',
  });
  for (const ingest of cluster.ingests) await ingest.start();
  await waitUntil(
    'the log is replayed',
    async () => {
      const positions = await positionsOf(cluster);
      return ends.every((end, shard) => positions[shard]! >= end);
    },
    { timeoutMs: 240_000 },
  );
  await sleep(1000);
  const after = await readCounts(cluster);
  const changed = [...before].filter(
    ([code, counts]) => JSON.stringify(after.get(code)) !== JSON.stringify(counts),
  );
  console.log(`replay ${round} of 3: ${changed.length} codes changed`);
  return [
    ...changed.map(([code]) => `differs: ${code} changed when the log was replayed`),
    ...faultsOf(ledger, after),
  ];
}

async function unusedShards(cluster: Cluster): Promise<string[]> {
  const positions = await positionsOf(cluster);
  return Array.from({ length: shards }, (_, shard) => shard)
    .filter(shard => !positions[shard])
    .map(shard => `differs: nothing was counted on shard ${shard}`);
}

/** How far each shard is counted. */
async function positionsOf({ fixture }: Cluster): Promise<number[]> {
  const rows = await fixture.db.query<{ position: number }>({
    name: 'chaos-positions',
    text: 'select position from ingest_positions order by shard',
  });
  return rows.map(row => row.position);
}
