import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listedUrlHash } from '../../kernel/addresses/listed-url.ts';
import { parseId, type Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';

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

const count = async () =>
  (await db.query<{ n: number }>(sql('count-targets', 'select count(*) as n from code_targets')))[0]!.n;
