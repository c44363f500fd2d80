import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { type Browser, dashboardEnv, signUp } from '@signpost/testing/people.ts';
import Papa from 'papaparse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { batchesOf, bodyOf } from '../apps/dashboard/src/features/import/batches.ts';
import { recognise } from '../apps/dashboard/src/features/import/columns.ts';
import { toRows } from '../apps/dashboard/src/features/import/import-row.ts';

/** One installation that is left, and another that is moved to. */
let from: TestApi;
let to: TestApi;
beforeAll(async () => {
  from = await createTestApi(dashboardEnv);
  to = await createTestApi(dashboardEnv);
});
afterAll(() => Promise.all([from?.close(), to?.close()]));

async function newOwner(api: TestApi, ...hosts: string[]): Promise<Browser> {
  const owner = await signUp(api);
  const account = (await owner.call({ url: '/account/me' })).body.account.id;
  for (const host of hosts) await api.admin('add-domain', host, '--account', account);
  return owner;
}

const post = (owner: Browser, url: string, body: unknown) =>
  owner.call({ method: 'POST', url: `/account/v1/qrcodes${url}`, body });
const toItems = (csv: string) => {
  const { data } = Papa.parse<string[]>(csv.replace(/^\uFEFF/, ''), { skipEmptyLines: true });
  const found = recognise(data);
  return bodyOf(batchesOf(toRows(data, found, found.columns), 500)[0]!, {});
};

test('codes come back from an export on the domains that they were on', async () => {
  const [a, b] = ['go.a.example', 'go.b.example'];
  const owner = await newOwner(from, a, b);
  for (const domain of [a, b, null]) {
    const code = { name: `On ${domain}`, destination_url: 'https://example.com/', short_code: 'menu' };
    expect((await post(owner, '', { ...code, domain, tags: ['Menu'], note: 'Till' })).status).toBe(201);
  }
  const exported = await owner.call({ url: '/account/qrcodes/export' });
  expect(exported.status).toBe(200);
  const items = toItems(exported.text);

  const mover = await newOwner(to, a, b);
  const { body } = await post(mover, '/bulk', items);
  expect(body.data.map((one: { qr_code: object }) => one.qr_code)).toMatchObject(
    [null, b, a].map(domain => ({ name: `On ${domain}`, domain, tags: ['Menu'], note: 'Till' })),
  );
  const again = await mover.call({ url: '/account/qrcodes/export' });
  const links = (csv: string) => csv.match(/https:\/\/[^,]+\/menu/g)!.toSorted();
  expect(links(again.text)).toEqual(links(exported.text));

  const stranger = await newOwner(to);
  const refused = await post(stranger, '/bulk', items);
  expect(refused.body.data.map((one: { error?: { param: string } }) => one.error?.param)).toEqual([
    'short_code',
    'domain',
    'domain',
  ]);
});
