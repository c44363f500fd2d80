import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { partFiles, writtenBetween } from '@signpost/testing/part-files.ts';
import { generateScans, numbered } from '@signpost/testing/scan-generator.ts';
import { contextOn } from '@signpost/testing/unshared-queries.ts';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listBuckets, parsePeriod } from '../../apps/server/src/analytics/period.ts';
import * as store from '../../apps/server/src/analytics/store.ts';
import { eraseDue, runErasure } from '../../apps/server/src/ingest/erasure/erasure.ts';
import { rewriteHiddenRows } from '../../apps/server/src/ingest/erasure/hidden-rows.ts';
import { createErasureMetrics } from '../../apps/server/src/ingest/erasure/metrics.ts';
import type { Eraser } from '../../apps/server/src/ingest/ingest.ts';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { createDataset, type Dataset } from './dataset.ts';

/** Three months of one account: codes 0 to 49 with 1,000 scans each, and one with 50,000. */
const [codes, large] = [50, 50];
const idOf = (number: number) => `01800000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
const account = idOf(1);
const days = 60;
const day = 86_400;
const fromMs = Date.UTC(2026, 0, 1);
const period = parsePeriod(
  { start_date: '2026-01-01', end_date: '2026-03-31' },
  new Date(Date.UTC(2026, 4, 1)),
);

let dataset: Dataset;
const db = () => dataset.api.api.db;

beforeAll(async () => {
  dataset = await createDataset();
  const { clickhouse } = dataset;
  // Like large parts, without a large part.
  await clickhouse.command('alter table scans modify setting min_bytes_for_wide_part = 0');
  const crowd = { account: numbered('01800000', '1'), visitors: 20_000, fromMs, days };
  await generateScans(clickhouse, [
    { ...crowd, scans: 50_000, code: numbered('01800000', `cityHash64(n, 3) % ${codes}`) },
    { ...crowd, scans: 50_000, code: numbered('01800000', `${large}`) },
  ]);
  await clickhouse.command('optimize table scans final', {}, { timeoutMs: 60_000 });
}, 120_000);
afterAll(() => dataset.close());

const askErasure = (...numbers: number[]) => db().query(addErasures, [numbers.map(idOf), account]);
const sweepAgain = () => db().query(sql('test-due-again', 'update erasures set sweep_at = now()'));
const turnsPass = () => db().query(sql('test-turns-pass', 'delete from erasure_turns'));

test('an erasure writes masks and merges nothing, and its later sweeps touch no part', async () => {
  const { clickhouse } = dataset;
  const [names, files, kept] = [await partNames(), await partFiles(clickhouse), await figuresOf(large)];
  await askErasure(0, 1);
  expect(await runErasure(db(), dataset.rows)).toBe(2);
  const written = writtenBetween(files, await partFiles(clickhouse));
  expect(written.masks).toBeGreaterThan(0);
  expect(written.bytes).toBe(written.masks);
  expect(written.descriptions).toBeLessThan(names.length * 32_768);
  expect(written.compact).toBe(0);
  const masked = await partNames();
  // The same blocks at the same level: a merge would have raised it.
  expect(masked.map(blocksOf)).toEqual(names.map(blocksOf));
  expect(await scansOf(0)).toBe(0);
  expect(await figuresOf(large)).toEqual(kept);

  for (let sweep = 1; sweep < 3; sweep++) {
    await sweepAgain();
    // Deletions of half a minute share a mask: until then no process gets the claim.
    expect(await runErasure(db(), dataset.rows)).toBe(0);
    await turnsPass();
    expect(await runErasure(db(), dataset.rows)).toBe(2);
  }
  expect(await partNames()).toEqual(masked);
  expect(await db().query(sql('test-left', 'select from erasures'))).toEqual([]);
});

test('parts with hidden rows are rewritten for one month a day across all processes, and figures stay exact', async () => {
  const { clickhouse } = dataset;
  await askErasure(2, 3, 4);
  await eraseDue(db(), dataset.rows);
  const rows = await exactly();
  expect(await summaries()).toEqual(rows);

  const both = await Promise.all([rewriteHiddenRows(db(), clickhouse), rewriteHiddenRows(db(), clickhouse)]);
  const [merged, none] = both.map(each => each.rewrittenMonth).sort((a, b) => Number(b) - Number(a));
  expect([merged === null, none]).toEqual([false, null]);
  expect(both[0]!.rows).toBeGreaterThan(4_000);
  await mutationsEnd();
  const left = await clickhouse.query<{ month: string }>(
    `select partition_id as month from system.parts
      where database = currentDatabase() and table = 'scans' and active and has_lightweight_delete`,
  );
  expect(left.map(({ month }) => month)).not.toContain(merged);
  expect(left).not.toEqual([]);
  expect(await summaries()).toEqual(rows);
  expect((await rewriteHiddenRows(db(), clickhouse)).rewrittenMonth).toBeNull();

  // An erasure during the rewrite counts as well; if ClickHouse is busy, the next run continues.
  await turnsPass();
  await askErasure(5);
  expect((await rewriteHiddenRows(db(), clickhouse)).rewrittenMonth).not.toBeNull();
  await waitUntil('the code is swept', async () => (await eraseDue(db(), dataset.rows)) > 0);
  await mutationsEnd();
  expect(await scansOf(5)).toBe(0);
  expect(await summaries()).toEqual(await exactly());
}, 60_000);

test('a month that gets new hidden rows after its rewrite is as old as these, and the next rewrite is of another month', async () => {
  const { clickhouse } = dataset;
  await askErasure(6);
  await eraseDue(db(), dataset.rows);
  await rewriteHiddenRows(db(), clickhouse);
  await db().query(ageMonths, [15 * day]);
  await turnsPass();
  const { rewrittenMonth: first } = await rewriteHiddenRows(db(), clickhouse);
  await mutationsEnd();
  // Before the next check.
  await askErasure(7);
  await eraseDue(db(), dataset.rows);
  await turnsPass();
  const { rewrittenMonth: second } = await rewriteHiddenRows(db(), clickhouse);
  expect([first === null, second === null, first === second]).toEqual([false, false, false]);
  const ages = await db().query<{ month: string; days: number }>(readAges);
  expect(ages.find(({ month }) => month === first)?.days).toBe(0);
  await mutationsEnd();
});

test('while the rewrite of a month fails, other months are hidden and its age is reported; it is stopped, and the rest follows', async () => {
  const { clickhouse } = dataset;
  const metrics = new Registry();
  const { hidden } = createErasureMetrics(metrics);
  const oldest = async () =>
    (await metrics.getSingleMetric('signpost_erasure_hidden_oldest_seconds')!.get()).values[0]!.value;
  await askErasure(8);
  await eraseDue(db(), dataset.rows);
  await rewriteHiddenRows(db(), clickhouse);
  await db().query(ageMonths, [31 * day]);
  await askErasure(9, 10);
  const where = `in partition id '202601'`;
  await clickhouse.command(
    `alter table scans update region = toString(throwIf(toYear(at) > 0)) ${where} where true, apply deleted mask ${where} settings mutations_sync = 0`,
  );
  await expect(eraseDue(db(), dataset.rows)).rejects.toThrow('ClickHouse is busy with parts of 202601');
  expect(await monthsOf(9)).toEqual(['202601']);
  expect(await areSwept(9)).toBe(false);
  await turnsPass();
  const failing = await rewriteHiddenRows(db(), clickhouse);
  expect([failing.rewrittenMonth, failing.stopped]).toEqual([null, []]);
  hidden(failing);
  expect(await oldest()).toBeGreaterThan(30 * day);

  let reason = '';
  await waitUntil('the rewriting is stopped', async () => {
    const { stopped } = await rewriteHiddenRows(db(), clickhouse, undefined, 0);
    reason = stopped[0]?.reason ?? '';
    return reason !== '';
  });
  expect(reason).toContain('FUNCTION_THROW_IF');
  await waitUntil('both codes are swept', async () => (await eraseDue(db(), dataset.rows)) === 2);
  expect(await monthsOf(9)).toEqual([]);
  await waitUntil('no month is old', async () => {
    await turnsPass();
    hidden(await rewriteHiddenRows(db(), clickhouse));
    return (await oldest()) < day;
  });
  await mutationsEnd();
  expect(await summaries()).toEqual(await exactly());
}, 60_000);

test('a rewrite that cannot be requested releases its claim', async () => {
  const { clickhouse } = dataset;
  await askErasure(11);
  await eraseDue(db(), dataset.rows);
  await rewriteHiddenRows(db(), clickhouse);
  await db().query(ageMonths, [15 * day]);
  await turnsPass();
  const refusing: typeof clickhouse = {
    ...clickhouse,
    command: () => Promise.reject(new Error('ClickHouse went away')),
  };
  await expect(rewriteHiddenRows(db(), refusing)).rejects.toThrow('went away');
  expect((await rewriteHiddenRows(db(), clickhouse)).rewrittenMonth).not.toBeNull();
  await mutationsEnd();
});

test('accounts are served round-robin, first sweeps come before repeats, and a full batch continues at once', async () => {
  await db().query(sql('test-none-left', 'delete from erasures'));
  await turnsPass();
  await askErasure(1_001, 1_002, 1_003);
  await db().query(sql('test-repeat', 'update erasures set sweeps = 1 where qr_code_id = $1'), [idOf(1_001)]);
  await db().query(addErasures, [[idOf(1_004)], idOf(2)]);
  const taken: string[][] = [];
  const others: Eraser = {
    async erase(_accounts, codes) {
      taken.push([...codes].sort());
    },
  };
  expect(await runErasure(db(), dataset.rows, undefined, others, 2)).toBe(4);
  expect(taken[0]).toContain(idOf(1_004));
  expect(taken[1]).toContain(idOf(1_001));
  expect(taken.flat()).toHaveLength(4);
});

test('a sweep that two processes do is recorded once, and one that is cut off is released', async () => {
  await db().query(sql('test-none-left', 'delete from erasures'));
  await askErasure(1_005);
  const again: Eraser = {
    async erase() {
      await sweepAgain();
      await eraseDue(db(), dataset.rows);
    },
  };
  await eraseDue(db(), dataset.rows, undefined, again);
  expect(await db().query(sql('test-sweeps', 'select sweeps from erasures'))).toEqual([{ sweeps: 1 }]);

  await sweepAgain();
  const cutOff: Eraser = { erase: () => Promise.reject(new Error('cut off')) };
  await expect(eraseDue(db(), dataset.rows, undefined, cutOff)).rejects.toThrow('cut off');
  expect(await eraseDue(db(), dataset.rows)).toBe(1);
});

const scope = { accountId: account, mode: 'live' } as const;
const context = () => contextOn(dataset.clickhouse, 30_000);
const figuresOf = (code?: number) => {
  const of = code === undefined ? scope : { ...scope, qrCodeId: idOf(code) };
  return Promise.all([
    store.totals(context(), of, period),
    store.topCountries(context(), of, period),
    store.agents(context(), of, period),
    store.series(context(), of, period, listBuckets(period, 'day')),
  ]);
};

/** Scans and visitors of the account, of the large code and of every other code, from roll-ups if they exist. */
const summaries = async () => [
  await store.totals(context(), scope, period),
  await store.totals(context(), { ...scope, qrCodeId: idOf(large) }, period),
  ...(await store.topCodes(context(), scope, period)),
];

/** The same from the rows alone. */
async function exactly() {
  const from = `from scans where account_id = {account: UUID}`;
  const off = 'settings optimize_use_projections = 0';
  const ask = (query: string) => dataset.clickhouse.query(query, { account, code: idOf(large) });
  const count = 'select count() as scans, uniqExact(visitor_number) as visitors';
  return [
    ...(await ask(`${count} ${from} ${off}`)),
    ...(await ask(`${count} ${from} and qr_code_id = {code: UUID} ${off}`)),
    ...(await ask(
      `select qr_code_id as qrCodeId, count() as scans ${from} group by 1 order by scans desc, qrCodeId limit 10 ${off}`,
    )),
  ];
}

async function scansOf(code: number): Promise<number> {
  return (await figuresOf(code))[0].scans;
}

async function partNames(): Promise<string[]> {
  const rows = await dataset.clickhouse.query<{ name: string }>(
    `select name from system.parts where database = currentDatabase() and table = 'scans' and active order by name`,
  );
  return rows.map(({ name }) => name);
}

async function monthsOf(code: number): Promise<string[]> {
  const rows = await dataset.clickhouse.query<{ month: string }>(
    'select distinct _partition_id as month from scans where qr_code_id = {code: UUID} order by month',
    { code: idOf(code) },
  );
  return rows.map(({ month }) => month);
}

const areSwept = async (code: number) => (await db().query(isSwept, [idOf(code)])).length > 0;

const blocksOf = (name: string) => name.split('_').slice(0, 4).join('_');

const mutationsEnd = () =>
  waitUntil('ClickHouse has rewritten what it was asked to', async () => {
    const open = await dataset.clickhouse.query(
      `select 1 from system.mutations where table = 'scans' and not is_done`,
    );
    return open.length === 0;
  });

const addErasures = sql(
  'test-add-erasures',
  `insert into erasures (qr_code_id, account_id, mode, requested_at)
   select id, $2, 'live', now() from unnest($1::uuid[]) id`,
);

const isSwept = sql('test-is-swept', 'select from erasures where qr_code_id = $1 and sweeps > 0');
const ageMonths = sql(
  'test-age-months',
  `update hidden_months set since = now() - $1 * interval '1 second', asked_at = null, asked_version = null`,
);
const readAges = sql(
  'test-read-ages',
  `select month, extract(day from now() - since)::int as days from hidden_months`,
);
