import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { scanOf } from '@signpost/testing/scan-ledger.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseDue } from '../../apps/server/src/ingest/erasure/erasure.ts';
import { rewriteHiddenRows } from '../../apps/server/src/ingest/erasure/hidden-rows.ts';
import { parseId } from '../../apps/server/src/kernel/ids.ts';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { createDataset, type Dataset } from './dataset.ts';

describe.each(['clickhouse', 'postgres with roll-ups'] as const)('scans in %s', store => {
  let dataset: Dataset;
  beforeAll(async () => {
    dataset = await createDataset({}, store);
  });
  afterAll(() => dataset.close());

  const aggregate = async (key: string) =>
    (await dataset.api.call({ url: '/v1/analytics/aggregate', key })).body;

  test('a deleted code is not found by any path, and the aggregate excludes it as soon as the deletion is answered', async () => {
    const { key, codes } = await dataset.account(2);
    const [kept, gone] = codes as [(typeof codes)[0], (typeof codes)[0]];
    await dataset.add([
      ...Array.from({ length: 5 }, (_, n) => scanOf(kept, n, { city: 'Kept', country: 'DE' })),
      ...Array.from({ length: 7 }, (_, n) => scanOf(gone, 3 + n, { city: 'Gone', country: 'FR' })),
    ]);
    const before = await aggregate(key);
    expect(before.summary).toMatchObject({ total_scans: 12, unique_visitors: 10, qr_codes: 2 });

    expect(
      (await dataset.api.call({ method: 'DELETE', url: `/v1/qrcodes/${gone.wireId}`, key })).status,
    ).toBe(200);
    for (const path of ['', '/scans', '/timeseries', '/export', '/week-hours'])
      expect(
        (await dataset.api.call({ url: `/v1/qrcodes/${gone.wireId}/analytics${path}`, key })).status,
      ).toBe(404);
    expect((await dataset.api.call({ url: `/v1/analytics/qrcodes/${gone.wireId}`, key })).status).toBe(404);

    const expected = {
      summary: { total_scans: 5, unique_visitors: 5, qr_codes: 1 },
      top_countries: [{ country: 'DE', scans: 5 }],
      top_cities: [{ city: 'Kept', country: 'DE', scans: 5 }],
      top_qr_codes: [{ qr_id: kept.wireId, scans: 5 }],
    };
    // Before the erasure, after it, and after the roll-ups of the rest were rebuilt.
    expect(await aggregate(key)).toMatchObject(expected);
    const hours = (await dataset.api.call({ url: '/v1/analytics/week-hours', key })).body.data;
    expect(hours.reduce((sum: number, hour: { total_scans: number }) => sum + hour.total_scans, 0)).toBe(5);
    expect(await stored(gone.id)).toBe(7);
    await eraseDue(dataset.api.api.db, dataset.rows);
    expect(await stored(gone.id)).toBe(0);
    expect(await aggregate(key)).toMatchObject(expected);
    if (store !== 'clickhouse') return;
    expect(await withoutRollUps()).toBeGreaterThan(0);
    const turn = { name: 'test-turn', text: 'delete from erasure_turns' };
    await waitUntil('the roll-ups are there again', async () => {
      await dataset.api.api.db.query(turn);
      await rewriteHiddenRows(dataset.api.api.db, dataset.clickhouse);
      return (await withoutRollUps()) === 0;
    });
    await dataset.api.api.db.query({ name: 'test-swept', text: 'update erasures set sweeps = 2' });
    expect(await aggregate(key)).toMatchObject(expected);
  });

  test('a test code whose name is reused before it is erased is still erased, and the new one keeps its scans', async () => {
    const { id: accountId, test: key } = await dataset.api.account();
    const { db } = dataset.api.api;
    const create = async () => {
      const body = { name: 'x', destination_url: 'https://example.com', short_code: 'used-again' };
      const made = await dataset.api.call({ method: 'POST', url: '/v1/qrcodes', key, body });
      expect(made.status).toBe(201);
      return { id: parseId('qr', made.body.id)!, accountId, wireId: made.body.id as string };
    };
    const scansOf = (code: { id: string; accountId: string }, count: number) =>
      Array.from({ length: count }, (_, n) => scanOf(code, n, { mode: 'test' }));
    const old = await create();
    await dataset.add(scansOf(old, 7));
    await dataset.api.call({ method: 'DELETE', url: `/v1/qrcodes/${old.wireId}`, key });
    const next = await create();
    // Scans in flight when the code was deleted are not counted for the code that reuses its name.
    await dataset.add([...scansOf(next, 3), ...scansOf(old, 2)]);
    expect((await aggregate(key)).summary).toMatchObject({ total_scans: 3, qr_codes: 1 });
    for (let sweep = 0; sweep < 3; sweep++) {
      await db.query({ name: 'test-due', text: 'update erasures set sweep_at = now()' });
      await eraseDue(db, dataset.rows);
    }
    expect(await stored(old.id)).toBe(0);
    expect(await stored(next.id)).toBe(3);
    const left = { name: 'test-left', text: 'select from erasures where qr_code_id = $1' };
    expect(await db.query(left, [old.id])).toEqual([]);
    const { body } = await dataset.api.call({ url: `/v1/qrcodes/${next.wireId}`, key });
    expect([body.total_scans, body.unique_scans]).toEqual([3, 3]);
  });

  async function stored(code: string): Promise<number> {
    if (store !== 'clickhouse') return (await dataset.api.api.db.query(rowsOf, [code])).length;
    const [row] = await dataset.clickhouse.query<{ rows: number }>(
      'select count() as rows from scans where qr_code_id = {code: UUID}',
      { code },
    );
    return row!.rows;
  }

  /** Parts that hold rows without roll-ups. */
  async function withoutRollUps(): Promise<number> {
    const [row] = await dataset.clickhouse.query<{ parts: number }>(
      `select count() as parts from system.parts
      where database = currentDatabase() and table = 'scans' and active and empty(projections) and rows > 0`,
    );
    return row!.parts;
  }
});

const rowsOf = sql('test-rows-of', 'select from scans where qr_code_id = $1');
