import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseId, type Uuid } from '../kernel/ids.ts';
import { listedUrlHash } from '../kernel/listed-url.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { backfillTargets } from './target-backfill.ts';

let api: TestApi;
let db: Database;
let owner: TestAccount;

beforeAll(async () => {
  api = await createTestApi();
  db = api.api.db;
  owner = await api.account();
});
afterAll(() => api.close());

type Made = { readonly id: string; readonly uuid: Uuid };

async function create(destination_url: string): Promise<Made> {
  const body = { name: 'x', destination_url };
  const { body: made } = await api.call({ method: 'POST', url: '/v1/qrcodes', key: owner.live, body });
  return { id: made.id, uuid: parseId('qr', made.id)! };
}
const patch = (id: string, body: object) =>
  api.call({ method: 'PATCH', url: `/v1/qrcodes/${id}`, key: owner.live, body });
const remove = (id: string) => api.call({ method: 'DELETE', url: `/v1/qrcodes/${id}`, key: owner.live });

const targetsOf = (id: Uuid) =>
  db.query(sql('targets-of', 'select kind, url, host, url_hash from code_targets where qr_code_id = $1'), [
    id,
  ]);
const target = (url: string, host: string) => ({ kind: 'default', url, host, url_hash: listedUrlHash(url) });

describe('the target of a code', () => {
  test('is created, changed and deleted with the code, and has the host in the form that blocks compare', async () => {
    const { id, uuid } = await create('https://WWW.Bücher.example.:8443/a#b');
    expect(await targetsOf(uuid)).toEqual([
      target('https://WWW.Bücher.example.:8443/a#b', 'www.xn--bcher-kva.example'),
    ]);
    await patch(id, { destination_url: 'http://192.0.2.7/x' });
    expect(await targetsOf(uuid)).toEqual([target('http://192.0.2.7/x', '192.0.2.7')]);
    await patch(id, { name: 'y', active: false });
    expect(await targetsOf(uuid)).toEqual([target('http://192.0.2.7/x', '192.0.2.7')]);
    await remove(id);
    expect(await targetsOf(uuid)).toEqual([]);
  });

  test('is not written where the code is refused', async () => {
    await api.admin('block-host', 'no.example');
    const before = await count();
    const items = [{ name: 'x', destination_url: 'https://no.example' }];
    await api.call({ method: 'POST', url: '/v1/qrcodes/bulk', key: owner.live, body: { items } });
    expect(await count()).toBe(before);
  });
});

describe('the backfill of older codes', () => {
  /** As right after the migration. */
  beforeEach(async () => {
    await db.query(sql('no-targets', 'delete from code_targets'));
    await db.query(sql('no-second-fill', `delete from backfills where name <> 'code_targets'`));
    await db.query(
      sql(
        'fill-again',
        `update backfills set done_at = null, after = '00000000-0000-0000-0000-000000000000'`,
      ),
    );
  });

  test('gives each code its target, over many batches and tombstones, and ends', async () => {
    const codes: Made[] = [];
    for (let i = 0; i < 12; i++) codes.push(await create(`https://old-${i}.example/`));
    for (const { id } of codes.slice(3, 9)) await remove(id);
    await db.query(sql('no-targets', 'delete from code_targets'));
    let steps = 0;
    while (await backfillTargets(db, 2)) steps++;
    expect(steps).toBeGreaterThanOrEqual(6);
    expect(await missing()).toEqual([]);
    expect(await targetsOf(codes[4]!.uuid)).toEqual([]);
    expect(await isDone('code_targets')).toBe(true);
    expect(await backfillTargets(db)).toBe(false);
  });

  test('runs once more an hour later, for codes that an older version has written meanwhile', async () => {
    const { uuid } = await create('https://before.example');
    while (await backfillTargets(db));
    const behind = sql('edit-of-0.1', 'update qr_codes set destination_url = $2 where id = $1');
    await db.query(behind, [uuid, 'https://after.example']);
    expect(await backfillTargets(db)).toBe(false);
    expect(await isDone('code_targets again')).toBe(false);
    await db.query(
      sql(
        'hour-later',
        `update backfills set done_at = done_at - interval '61 minutes' where name = 'code_targets'`,
      ),
    );
    while (await backfillTargets(db));
    expect(await targetsOf(uuid)).toEqual([target('https://after.example', 'after.example')]);
    expect(await isDone('code_targets again')).toBe(true);
  });

  test('beside edits, deletions and other backfilling processes leaves each code with its own target', async () => {
    const codes: Made[] = [];
    for (let i = 0; i < 40; i++) codes.push(await create(`https://storm-${i}.example/`));
    await db.query(sql('no-targets', 'delete from code_targets'));
    const fill = async () => {
      while (!(await isDone('code_targets'))) await backfillTargets(db, 3);
    };
    const change = async () => {
      for (const [i, { id }] of codes.entries()) {
        const answer =
          i % 3 === 0 ? await remove(id) : await patch(id, { destination_url: `https://new-${i}.example/` });
        expect(answer.status).toBeLessThan(300);
      }
    };
    await Promise.all([fill(), fill(), change()]);
    expect(await missing()).toEqual([]);
    for (const [i, { uuid }] of codes.entries())
      expect(await targetsOf(uuid)).toEqual(
        i % 3 === 0 ? [] : [target(`https://new-${i}.example/`, `new-${i}.example`)],
      );
  });
});

const count = async () =>
  (await db.query<{ n: number }>(sql('count-targets', 'select count(*) as n from code_targets')))[0]!.n;

const isDone = async (name: string) =>
  (
    await db.query<{ done: boolean }>(
      sql('fill-done', 'select done_at is not null as done from backfills where name = $1'),
      [name],
    )
  )[0]?.done ?? false;

/** Codes whose target is missing or wrong, and targets without a code. */
const missing = () =>
  db.query(
    sql(
      'missing-targets',
      `select c.id from qr_codes c left join code_targets t on t.qr_code_id = c.id
        where c.status <> 'deleted' and c.destination_url is distinct from t.url
       union all
       select t.qr_code_id from code_targets t join qr_codes c on c.id = t.qr_code_id where c.status = 'deleted'`,
    ),
  );
