import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as store from '../../apps/server/src/analytics/store.ts';
import { eraseDue, eraseInTurn } from '../../apps/server/src/ingest/erasure.ts';
import { createErasureMetrics } from '../../apps/server/src/ingest/erasure-metrics.ts';
import { tendHiddenRows } from '../../apps/server/src/ingest/hidden-rows.ts';
import type { Eraser } from '../../apps/server/src/ingest/ingest.ts';
import { cutsOf, periodOf } from '../../apps/server/src/kernel/period.ts';
import { sql } from '../../apps/server/src/platform/postgres.ts';
import { waitUntil } from '../../tools/engines/wait.ts';
import { partFiles, writtenBetween } from '../support/part-files.ts';
import { generateScans, numbered } from '../support/scan-generator.ts';
import { createScene, type Scene } from './scene.ts';

/** Three months of one account: codes 0 to 49 with 1,000 scans each, and one with 50,000. */
const [codes, large] = [50, 50];
const idOf = (number: number) => `01800000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
const account = idOf(1);
const days = 60;
const day = 86_400;
const fromMs = Date.UTC(2026, 0, 1);
const period = periodOf({ start_date: '2026-01-01', end_date: '2026-03-31' }, new Date(Date.UTC(2026, 4, 1)));

let scene: Scene;
const db = () => scene.api.api.db;

beforeAll(async () => {
  scene = await createScene();
  const { clickhouse } = scene;
  // As large parts are, without a large part.
  await clickhouse.command('alter table scans modify setting min_bytes_for_wide_part = 0');
  const crowd = { account: numbered('01800000', '1'), visitors: 20_000, fromMs, days };
  await generateScans(clickhouse, [
    { ...crowd, scans: 50_000, code: numbered('01800000', `cityHash64(n, 3) % ${codes}`) },
    { ...crowd, scans: 50_000, code: numbered('01800000', `${large}`) },
  ]);
  await clickhouse.command('optimize table scans final', {}, { timeoutMs: 60_000 });
}, 120_000);
afterAll(() => scene.close());

const askErasure = (...numbers: number[]) => db().query(addErasures, [numbers.map(idOf), account]);
const sweepAgain = () => db().query(sql('test-due-again', 'update erasures set sweep_at = now()'));
const turnsPass = () => db().query(sql('test-turns-pass', 'delete from erasure_turns'));

test('an erasure writes masks and merges nothing, and its later sweeps touch no part', async () => {
  const { clickhouse } = scene;
  const [names, files, kept] = [await partNames(), await partFiles(clickhouse), await figuresOf(large)];
  await askErasure(0, 1);
  expect(await eraseInTurn(db(), clickhouse)).toBe(2);
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
    // Deletions of half a minute share a mask: until then it is nobody's turn.
    expect(await eraseInTurn(db(), clickhouse)).toBe(0);
    await turnsPass();
    expect(await eraseInTurn(db(), clickhouse)).toBe(2);
  }
  expect(await partNames()).toEqual(masked);
  expect(await db().query(sql('test-left', 'select from erasures'))).toEqual([]);
});

test('parts with hidden rows are rewritten for one month a day by all processes together, and figures stay exact', async () => {
  const { clickhouse } = scene;
  await askErasure(2, 3, 4);
  await eraseDue(db(), clickhouse);
  const rows = await exactly();
  expect(await summaries()).toEqual(rows);

  const both = await Promise.all([tendHiddenRows(db(), clickhouse), tendHiddenRows(db(), clickhouse)]);
  const [merged, none] = both.map(each => each.merged).sort((a, b) => Number(b) - Number(a));
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
  expect((await tendHiddenRows(db(), clickhouse)).merged).toBeNull();

  // An erasure in the middle of the rewriting counts as well; where ClickHouse is busy, the next turn goes on.
  await turnsPass();
  await askErasure(5);
  expect((await tendHiddenRows(db(), clickhouse)).merged).not.toBeNull();
  await waitUntil('the code is swept', async () => (await eraseDue(db(), clickhouse)) > 0);
  await mutationsEnd();
  expect(await scansOf(5)).toBe(0);
  expect(await summaries()).toEqual(await exactly());
}, 60_000);

test('a month that gets new hidden rows after its rewriting is as old as these, and the next turn is of another month', async () => {
  const { clickhouse } = scene;
  await askErasure(6);
  await eraseDue(db(), clickhouse);
  await tendHiddenRows(db(), clickhouse);
  await db().query(ageMonths, [15 * day]);
  await turnsPass();
  const { merged: first } = await tendHiddenRows(db(), clickhouse);
  await mutationsEnd();
  // Before anybody looks again.
  await askErasure(7);
  await eraseDue(db(), clickhouse);
  await turnsPass();
  const { merged: second } = await tendHiddenRows(db(), clickhouse);
  expect([first === null, second === null, first === second]).toEqual([false, false, false]);
  const ages = await db().query<{ month: string; days: number }>(readAges);
  expect(ages.find(({ month }) => month === first)?.days).toBe(0);
  await mutationsEnd();
});

test('while the rewriting of a month fails, other months are hidden and its age is told; it is stopped, and the rest follows', async () => {
  const { clickhouse } = scene;
  const metrics = new Registry();
  const { hidden } = createErasureMetrics(metrics);
  const oldest = async () =>
    (await metrics.getSingleMetric('signpost_erasure_hidden_oldest_seconds')!.get()).values[0]!.value;
  await askErasure(8);
  await eraseDue(db(), clickhouse);
  await tendHiddenRows(db(), clickhouse);
  await db().query(ageMonths, [31 * day]);
  await askErasure(9, 10);
  const where = `in partition id '202601'`;
  await clickhouse.command(
    `alter table scans update region = toString(throwIf(toYear(at) > 0)) ${where} where true, apply deleted mask ${where} settings mutations_sync = 0`,
  );
  await expect(eraseDue(db(), clickhouse)).rejects.toThrow('ClickHouse is busy with parts of 202601');
  expect(await monthsOf(9)).toEqual(['202601']);
  expect(await areSwept(9)).toBe(false);
  await turnsPass();
  const failing = await tendHiddenRows(db(), clickhouse);
  expect([failing.merged, failing.stopped]).toEqual([null, []]);
  hidden(failing);
  expect(await oldest()).toBeGreaterThan(30 * day);

  let reason = '';
  await waitUntil('the rewriting is stopped', async () => {
    const { stopped } = await tendHiddenRows(db(), clickhouse, undefined, 0);
    reason = stopped[0]?.reason ?? '';
    return reason !== '';
  });
  expect(reason).toContain('FUNCTION_THROW_IF');
  await waitUntil('both codes are swept', async () => (await eraseDue(db(), clickhouse)) === 2);
  expect(await monthsOf(9)).toEqual([]);
  await waitUntil('no month is old', async () => {
    await turnsPass();
    hidden(await tendHiddenRows(db(), clickhouse));
    return (await oldest()) < day;
  });
  await mutationsEnd();
  expect(await summaries()).toEqual(await exactly());
}, 60_000);

test('a rewriting that cannot be asked for costs no turn', async () => {
  const { clickhouse } = scene;
  await askErasure(11);
  await eraseDue(db(), clickhouse);
  await tendHiddenRows(db(), clickhouse);
  await db().query(ageMonths, [15 * day]);
  await turnsPass();
  const refusing: typeof clickhouse = {
    ...clickhouse,
    command: () => Promise.reject(new Error('ClickHouse went away')),
  };
  await expect(tendHiddenRows(db(), refusing)).rejects.toThrow('went away');
  expect((await tendHiddenRows(db(), clickhouse)).merged).not.toBeNull();
  await mutationsEnd();
});

test('accounts take turns, first sweeps go before repeats, and a full batch goes on at once', async () => {
  const { clickhouse } = scene;
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
  expect(await eraseInTurn(db(), clickhouse, undefined, others, 2)).toBe(4);
  expect(taken[0]).toContain(idOf(1_004));
  expect(taken[1]).toContain(idOf(1_001));
  expect(taken.flat()).toHaveLength(4);
});

test('a sweep that two processes do is noted once, and one that is cut off is given back', async () => {
  const { clickhouse } = scene;
  await db().query(sql('test-none-left', 'delete from erasures'));
  await askErasure(1_005);
  const again: Eraser = {
    async erase() {
      await sweepAgain();
      await eraseDue(db(), clickhouse);
    },
  };
  await eraseDue(db(), clickhouse, undefined, again);
  expect(await db().query(sql('test-sweeps', 'select sweeps from erasures'))).toEqual([{ sweeps: 1 }]);

  await sweepAgain();
  const cutOff: Eraser = { erase: () => Promise.reject(new Error('cut off')) };
  await expect(eraseDue(db(), clickhouse, undefined, cutOff)).rejects.toThrow('cut off');
  expect(await eraseDue(db(), clickhouse)).toBe(1);
});

const scope = { accountId: account, mode: 'live' } as const;
const asking = () => ({ clickhouse: scene.clickhouse, limits: { timeoutMs: 30_000 } });
const figuresOf = (code?: number) => {
  const of = code === undefined ? scope : { ...scope, qrCodeId: idOf(code) };
  return Promise.all([
    store.totals(asking(), of, period),
    store.topCountries(asking(), of, period),
    store.tools(asking(), of, period),
    store.series(asking(), of, period, cutsOf(period, 'day')),
  ]);
};

/** Scans and visitors of the account, of the large code and of each other one, from roll-ups where there are some. */
const summaries = async () => [
  await store.totals(asking(), scope, period),
  await store.totals(asking(), { ...scope, qrCodeId: idOf(large) }, period),
  ...(await store.topCodes(asking(), scope, period)),
];

/** The same from the rows alone. */
async function exactly() {
  const from = `from scans where account_id = {account: UUID}`;
  const off = 'settings optimize_use_projections = 0';
  const ask = (query: string) => scene.clickhouse.query(query, { account, code: idOf(large) });
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
  const rows = await scene.clickhouse.query<{ name: string }>(
    `select name from system.parts where database = currentDatabase() and table = 'scans' and active order by name`,
  );
  return rows.map(({ name }) => name);
}

async function monthsOf(code: number): Promise<string[]> {
  const rows = await scene.clickhouse.query<{ month: string }>(
    'select distinct _partition_id as month from scans where qr_code_id = {code: UUID} order by month',
    { code: idOf(code) },
  );
  return rows.map(({ month }) => month);
}

const areSwept = async (code: number) => (await db().query(isSwept, [idOf(code)])).length > 0;

const blocksOf = (name: string) => name.split('_').slice(0, 4).join('_');

const mutationsEnd = () =>
  waitUntil('ClickHouse has rewritten what it was asked to', async () => {
    const open = await scene.clickhouse.query(
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
