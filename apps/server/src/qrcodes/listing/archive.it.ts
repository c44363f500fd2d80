import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { type Browser, dashboardEnv, signUp } from '@signpost/testing/people.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let api: TestApi;
let on: Browser;
beforeAll(async () => {
  api = await createTestApi(dashboardEnv);
});
beforeEach(async () => {
  on = await signUp(api);
});
afterAll(() => api.close());

type Code = { readonly id: string; readonly name: string; readonly short_code: string };

const make = async (name: string, more: object = {}): Promise<Code> => {
  const body = { name, destination_url: 'https://example.com/', ...more };
  return (await on.call({ method: 'POST', url: '/account/v1/qrcodes', body })).body;
};
const archive = ({ id }: Code, archived = true) =>
  on.call({ method: 'PATCH', url: `/account/v1/qrcodes/${id}`, body: { archived } });
const editAll = (body: object) => on.call({ method: 'PATCH', url: '/account/v1/qrcodes/bulk', body });

/** The names in a list, newest first, whose total agrees. */
async function list(query = '', url = '/account/v1/qrcodes'): Promise<string[]> {
  const { body } = await on.call({ url: `${url}?limit=100${query}` });
  expect(body.pagination.total).toBe(body.data.length);
  return body.data.map(({ name }: Code) => name);
}

test('an archived code is left out of every list, unless one asks for it', async () => {
  const [first] = [await make('First', { tags: ['wall'] }), await make('Second', { tags: ['wall'] })];
  expect((await archive(first)).body.archived).toBe(true);
  for (const url of ['/account/v1/qrcodes', '/account/qrcodes']) {
    for (const query of ['', '&status=active', '&tag=wall', '&search=s', '&sort=name', '&archived=false']) {
      expect(await list(query, url)).toEqual(['Second']);
      if (query !== '&archived=false') expect(await list(`${query}&archived=true`, url)).toEqual(['First']);
    }
  }
  const rows = async (query: string) =>
    (await on.call({ url: `/account/qrcodes/export?${query}` })).text.trim().split('\r\n').slice(1);
  expect((await rows('')).map(row => row.split(',')[1])).toEqual(['Second']);
  expect((await rows('archived=true')).map(row => row.split(',')[1])).toEqual(['First']);

  expect((await archive(first, false)).body.archived).toBe(false);
  expect(await list()).toEqual(['Second', 'First']);
  expect(await list('&archived=true')).toEqual([]);
});

test('a code that is named is found, archived or not', async () => {
  const code = await make('Old poster', { short_code: 'old-poster', external_id: 'poster-7' });
  await archive(code);
  for (const name of [`ids=${code.id}`, 'short_code=OLD-POSTER', 'external_id=poster-7']) {
    expect(await list(`&${name}`)).toEqual(['Old poster']);
    expect(await list(`&${name}&archived=true`)).toEqual(['Old poster']);
    expect(await list(`&${name}&archived=false`)).toEqual([]);
  }
  const { body } = await on.call({ url: '/account/v1/qrcodes/ext:poster-7' });
  expect([body.archived, body.status]).toEqual([true, 'active']);
});

test('many are archived at once; an edit by filter changes no archived code unless it asks for them', async () => {
  const codes = [await make('One'), await make('Two'), await make('Three')];
  const two = codes.slice(0, 2).map(({ id }) => id);
  expect((await editAll({ ids: two, set: { archived: true } })).body.updated).toBe(2);
  expect(await list()).toEqual(['Three']);
  const rename = (filter: object, count: number) =>
    editAll({ filter, expected_count: count, set: { note: 'Seen' } });
  expect((await rename({}, 3)).body.error.code).toBe('count_changed');
  expect((await rename({}, 1)).body.updated).toBe(1);
  expect((await rename({ archived: true }, 2)).body.updated).toBe(2);
});

test('it counts against the quota and can be edited, paused and deleted like any other', async () => {
  const code = await make('Kept');
  const used = async () => (await on.call({ url: '/account/v1/account' })).body.used.qr_codes;
  const before = await used();
  await archive(code);
  expect(await used()).toBe(before);
  const url = `/account/v1/qrcodes/${code.id}`;
  const paused = await on.call({ method: 'PATCH', url, body: { active: false, name: 'Renamed' } });
  expect(paused.body).toMatchObject({ status: 'paused', name: 'Renamed', archived: true });
  expect(await list('&archived=true&status=paused')).toEqual(['Renamed']);
  expect((await on.call({ method: 'DELETE', url })).status).toBe(200);
  expect(await used()).toBe(before - 1);
});

test('the history names it, and archiving an archived code is no change', async () => {
  const code = await make('Twice');
  await archive(code);
  const { revision } = (await archive(code)).body;
  await archive(code, false);
  expect(revision).toBe(1);
  const { body } = await on.call({ url: `/account/qrcodes/${code.id}/history` });
  expect(body.data).toMatchObject([
    { field: 'archived', from: 'true', to: '' },
    { field: 'archived', from: '', to: 'true' },
    { field: 'created' },
  ]);
});
