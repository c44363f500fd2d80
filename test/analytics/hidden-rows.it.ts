import { afterAll, beforeAll, expect, test } from 'vitest';
import * as store from '../../apps/server/src/analytics/store.ts';
import { eraseDue, eraseInTurn } from '../../apps/server/src/ingest/erasure.ts';
import { tendHiddenRows } from '../../apps/server/src/ingest/hidden-rows.ts';
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

  // An erasure in the middle of the rewriting counts as well.
  await turnsPass();
  await askErasure(5);
  const [next] = await Promise.all([tendHiddenRows(db(), clickhouse), eraseDue(db(), clickhouse)]);
  expect(next.merged).not.toBeNull();
  await mutationsEnd();
  expect(await scansOf(5)).toBe(0);
  expect(await summaries()).toEqual(await exactly());
}, 60_000);

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
