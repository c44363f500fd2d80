import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeRows } from '../../../apps/server/src/backup/row-files.ts';
import { AppError } from '../../../apps/server/src/kernel/errors.ts';
import {
  type ClickHouse,
  connect,
  createClickHouse,
} from '../../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { clickHouseError } from '../../../apps/server/src/platform/clickhouse/clickhouse-errors.ts';
import { collect } from '../collect.ts';
import type { CheckContext } from '../context.ts';
import { type Relay, startRelay } from '../relay.ts';
import { comesTrue, require, type Step } from '../steps.ts';

/** Long after the caller has stopped waiting; short, because it is on purpose that nothing else ends the query. */
const slowSeconds = 40;
const goneMs = 5_000;

/** Slow rows, or only their number; the marker finds the query in the list of those that run. */
const slowRows = (columns: string, marker: string) =>
  `select ${columns} /* ${marker} */ from numbers(${slowSeconds * 50}) where sleepEachRow(0.02) = 0`;
const slowly = 'settings max_block_size = 5, max_threads = 1';

export const timeLimits = ({ clickhouse }: CheckContext): Step => ({
  name: 'A query past its time limit ends with a timeout, and one whose caller leaves ends too',
  async run({ see }) {
    const byEngine = await expectTimeout(clickhouse, ', max_execution_time = 1', slowSeconds * 1000);
    const code = clickHouseError(byEngine.error.cause)?.code;
    require(code === 159, `The limit of the server ended the query with code ${code} instead of 159`);
    see(`by the limit of the server: code 159 after ${byEngine.seconds} s`);
    const byClient = await expectTimeout(clickhouse, '', 1_000);
    see(
      `by our limit of 1 s: timeout after ${byClient.seconds} s, the query gone ${byClient.goneAfter} s later`,
    );
    for (const way of ['query', 'stream'] as const) see(`${way}: ${await leave(clickhouse, way)}`);
  },
});

async function expectTimeout(clickhouse: ClickHouse, settings: string, timeoutMs: number) {
  const marker = randomUUID();
  const startedAt = performance.now();
  const error = await clickhouse
    .query(`${slowRows('count() as rows', marker)} ${slowly}${settings}`, {}, { timeoutMs })
    .then(() => new Error('The query came to its end'))
    .catch(thrown => thrown as Error);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (!(error instanceof AppError) || error.code !== 'timeout') throw error;
  require(Number(seconds) < 10, `The timeout came after ${seconds} s`);
  return { error, seconds, goneAfter: await expectGone(clickhouse, marker) };
}

/** The caller leaves in the middle; the time limit is too long to end the query. */
async function leave(clickhouse: ClickHouse, way: 'query' | 'stream'): Promise<string> {
  const marker = randomUUID();
  const caller = new AbortController();
  const options = { timeoutMs: slowSeconds * 1000, signal: caller.signal };
  const rows = `select number from (${slowRows('number', marker)} ${slowly})`;
  const asked: Promise<unknown> =
    way === 'query' ? clickhouse.query(rows, {}, options) : collect(clickhouse.stream(rows, {}, options));
  asked.catch(() => undefined);
  const hasBegun = await comesTrue(() => isRunning(clickhouse, marker), goneMs);
  caller.abort(new Error('left'));
  await asked.catch(() => undefined);
  require(hasBegun, 'The query was not found in system.processes while it ran');
  return `the caller left, the query was gone ${await expectGone(clickhouse, marker)} s later`;
}

async function expectGone(clickhouse: ClickHouse, marker: string): Promise<string> {
  const startedAt = performance.now();
  const isGone = await comesTrue(async () => !(await isRunning(clickhouse, marker)), goneMs);
  require(isGone, `The query still ran ${goneMs / 1000} s after nobody waited for it`);
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}

async function isRunning(clickhouse: ClickHouse, marker: string): Promise<boolean> {
  const found = await clickhouse.query(
    // The list has this query too, with the value of its parameter.
    `select 1 from system.processes
      where position(query, {marker: String}) > 0 and position(query, 'system.processes') = 0`,
    { marker },
  );
  return found.length > 0;
}

/** More than a server keeps back before it begins to answer. */
const [goodRows, allRows] = [600_000, 1_000_000];
const broken = `select number, leftPad(toString(number), 20, '0') as filler, throwIf(number = ${goodRows}) as fault
    from numbers(${allRows})`;

export const exceptions = (context: CheckContext): Step => ({
  name: 'An exception in the middle of a response is an error, never a shorter answer',
  async run({ see }) {
    const relay = await startRelay(context.url);
    const url = relay.via(context.url);
    const clickhouse = await createClickHouse(url);
    try {
      const query = () => clickhouse.query(broken, {}, { timeoutMs: 60_000 });
      see(await expectBroken(relay, 'query', query));
      see(await expectBroken(relay, 'stream', () => readWhole(clickhouse)));
      await context.clickhouse.command(
        `create view broken as select toUInt16(0) as shard, toUInt32(0) as log_number, number as position, filler, fault
           from (${broken})`,
      );
      see(await expectBroken(relay, 'file of a backup', () => writeBroken(url)));
    } finally {
      await clickhouse.close();
      relay.close();
    }
  },
});

async function expectBroken(relay: Relay, what: string, work: () => Promise<unknown>): Promise<string> {
  const before = relay.answers.begun;
  const error = await work()
    .then(() => null)
    .catch(thrown => thrown as Error);
  if (error === null) throw new Error(`${what}: the answer was taken as complete`);
  if (error instanceof Misread) throw error;
  const when = relay.answers.begun > before ? 'in the middle of the answer' : 'before the answer began';
  return `${what}: an error ${when}, ${clickHouseError(error)?.type ?? (error instanceof AppError ? error.code : error.message)}`;
}

async function readWhole(clickhouse: ClickHouse): Promise<void> {
  type Row = readonly [number, string, number];
  for await (const rows of clickhouse.stream<Row>(broken, {}, { timeoutMs: 60_000 }))
    for (const [number] of rows)
      if (!Number.isInteger(number))
        throw new Misread(`stream: ${JSON.stringify(number)} was taken for a row`);
}

class Misread extends Error {}

async function writeBroken(url: string): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-check-'));
  const client = await connect(url);
  try {
    const logs = [{ shard: 0, log: 0, position: allRows }];
    const table = { name: 'broken', fileBy: '1' };
    await writeRows(client, { table, logs, part: '1' }, join(dir, 'broken.tsv.gz'));
  } finally {
    await client.close();
    rmSync(dir, { recursive: true });
  }
}
