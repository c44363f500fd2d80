import { createTestApi, roomyPlan, type TestApi } from '@signpost/testing/api.ts';
import { type Browser, dashboardEnv, goodPassword, signUp } from '@signpost/testing/people.ts';
import { parseStrictCsv } from '@signpost/testing/strict-csv.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../kernel/ids.ts';
import { sql } from '../../platform/postgres/postgres.ts';

let api: TestApi;
let browser: Browser;
beforeAll(async () => {
  api = await createTestApi({ ...dashboardEnv, CLICKHOUSE_URL: 'http://127.0.0.1:9' });
  browser = await signUp(api);
});
afterAll(() => api.close());

type Item = { name: string; short_code: string; sparkline: number[] | null };

const make = async (on: Browser, name: string, more: object = {}) =>
  (
    await on.call({
      method: 'POST',
      url: '/account/v1/qrcodes',
      body: { name, destination_url: 'https://example.com/', ...more },
    })
  ).body as { id: string };

async function names(on: Browser, query: string): Promise<string[]> {
  const { status, body } = await on.call({ url: `/account/qrcodes?${query}` });
  expect(status).toBe(200);
  expect(body.pagination.total).toBe(body.data.length);
  return body.data.map(({ name }: Item) => name);
}

describe('browsing codes', () => {
  let on: Browser;
  beforeAll(async () => {
    on = await signUp(api);
    await make(on, 'Winter Menu', { short_code: 'winter-26' });
    await make(on, 'beer mat 50%', { destination_url: 'https://brewery.example/Mats' });
    await make(on, 'Table_1', { status: 'draft' });
  });

  test('finds by name, short code and destination without regard to case', async () => {
    expect(await names(on, 'search=menu')).toEqual(['Winter Menu']);
    expect(await names(on, 'search=WINTER-2')).toEqual(['Winter Menu']);
    expect(await names(on, 'search=brewery.example/mats')).toEqual(['beer mat 50%']);
    expect(await names(on, 'search=e')).toEqual(['Table_1', 'beer mat 50%', 'Winter Menu']);
    expect(await names(on, 'search=nothing')).toEqual([]);
  });

  test('characters with a special meaning in SQL are matched literally', async () => {
    expect(await names(on, 'search=50%25')).toEqual(['beer mat 50%']);
    expect(await names(on, 'search=table_')).toEqual(['Table_1']);
    expect(await names(on, 'search=%5C')).toEqual([]);
    expect(await names(on, "search='%20or%201=1")).toEqual([]);
  });

  test('sorts by creation, name or scans, and filters by status', async () => {
    expect(await names(on, '')).toEqual(['Table_1', 'beer mat 50%', 'Winter Menu']);
    expect(await names(on, 'sort=name')).toEqual(['beer mat 50%', 'Table_1', 'Winter Menu']);
    expect(await names(on, 'sort=scans')).toEqual(['Table_1', 'beer mat 50%', 'Winter Menu']);
    expect(await names(on, 'status=draft&sort=name')).toEqual(['Table_1']);
    expect(await names(on, 'status=active&search=e')).toEqual(['beer mat 50%', 'Winter Menu']);
  });

  test('pages, and has the total on a page past the last too', async () => {
    const page = async (n: number) =>
      (await on.call({ url: `/account/qrcodes?sort=name&limit=2&page=${n}` })).body;
    expect((await page(2)).data.map(({ name }: Item) => name)).toEqual(['Winter Menu']);
    expect(await page(9)).toMatchObject({ data: [], pagination: { total: 3, total_pages: 2 } });
  });

  test('says how many rules each code has', async () => {
    const person = await signUp(api);
    const to = [{ url: 'https://example.com/de' }];
    await make(person, 'Plain');
    await make(person, 'Ruled', {
      rules: [
        { when: { language: ['de'] }, to },
        { active: false, to },
      ],
    });
    const { body } = await person.call({ url: '/account/qrcodes' });
    expect(
      body.data.map((item: { name: string; rule_count: number }) => [item.name, item.rule_count]),
    ).toEqual([
      ['Ruled', 2],
      ['Plain', 0],
    ]);
  });

  test('responds without ClickHouse, and shows that the sparklines are missing', async () => {
    const { status, body } = await on.call({ url: '/account/qrcodes' });
    expect(status).toBe(200);
    expect(body.data.map(({ sparkline }: Item) => sparkline)).toEqual([null, null, null]);
  });
});

describe('the history of a code', () => {
  const history = async (id: string, query = '') =>
    (await browser.call({ url: `/account/qrcodes/${id}/history?${query}` })).body;

  test('has who changed what, from what to what, newest first', async () => {
    const { id } = await make(browser, 'Poster');
    const created = await browser.call({
      method: 'POST',
      url: '/account/keys',
      body: { name: 'robot', mode: 'live', current_password: goodPassword },
    });
    const { key } = created.body;
    const url = `/v1/qrcodes/${id}`;
    await api.call({ method: 'PATCH', url, key, body: { destination_url: 'https://example.com/new' } });
    await browser.call({
      method: 'PATCH',
      url: `/account${url}`,
      body: { name: 'Big poster', active: false },
    });
    await browser.call({ method: 'PATCH', url: `/account${url}`, body: { name: 'Big poster' } });
    const { data, pagination } = await history(id);
    const user = { kind: 'user', name: 'Somebody' };
    expect(data).toMatchObject([
      { by: user, field: 'status', from: 'active', to: 'paused' },
      { by: user, field: 'name', from: 'Poster', to: 'Big poster' },
      {
        by: { kind: 'key', name: `robot (…${key.slice(-4)})` },
        field: 'destination_url',
        from: 'https://example.com/',
        to: 'https://example.com/new',
      },
      { by: user, field: 'created', from: null, to: null },
    ]);
    expect(pagination.total).toBe(4);
    expect((await history(id, 'limit=1&page=4')).data).toEqual([data[3]]);
    expect(data[0].at >= data[2].at).toBe(true);
  });

  test('names the operator who paused a code, by a command', async () => {
    const { id } = await make(browser, 'Trick', { short_code: 'trick-1' });
    await api.admin('pause-code', 'trick-1');
    expect((await history(id)).data[0]).toMatchObject({
      by: { kind: 'operator', name: 'The operator of the service' },
      field: 'status',
      to: 'paused',
    });
  });

  test('undo is a change like any other', async () => {
    const { id } = await make(browser, 'Flyer');
    const patch = (destination_url: string) =>
      browser.call({ method: 'PATCH', url: `/account/v1/qrcodes/${id}`, body: { destination_url } });
    await patch('https://example.com/wrong');
    const { data } = await history(id);
    expect((await patch(data[0].from)).body.destination_url).toBe('https://example.com/');
    expect((await history(id)).data[0]).toMatchObject({ from: 'https://example.com/wrong' });
  });

  test('an edit that is refused leaves no trace', async () => {
    const { id } = await make(browser, 'Draft', { status: 'draft' });
    const url = `/account/v1/qrcodes/${id}`;
    const refused = await browser.call({ method: 'PATCH', url, body: { name: 'Other', active: false } });
    expect(refused.status).toBe(409);
    expect((await history(id)).pagination.total).toBe(1);
  });

  test('is erased with the code', async () => {
    const { id } = await make(browser, 'Secret plan');
    const url = `/account/v1/qrcodes/${id}`;
    await browser.call({ method: 'PATCH', url, body: { name: 'Secret plan B' } });
    await browser.call({ method: 'DELETE', url });
    expect((await browser.call({ url: `/account/qrcodes/${id}/history` })).status).toBe(404);
    const left = await api.api.db.query(
      sql('left', `select 1 from code_edits where before like 'Secret plan%'`),
    );
    expect(left).toEqual([]);
  });
});

describe('the quota', () => {
  test('on free counts codes made by the API; codes made in the dashboard do not count', async () => {
    const on = await signUp(api);
    const { body } = await on.call({
      method: 'POST',
      url: '/account/keys',
      body: { name: 'k', mode: 'live', current_password: goodPassword },
    });
    await make(on, 'By hand');
    const used = async () => (await on.call({ url: '/account/me' })).body.account.codes_used;
    expect(await used()).toBe(0);
    await api.call({
      method: 'POST',
      url: '/v1/qrcodes',
      key: body.key,
      body: { name: 'By key', destination_url: 'https://example.com' },
    });
    expect(await used()).toBe(1);
  });
});

describe('the export of codes', () => {
  const exported = async (on: Browser, query = '') => {
    const { status, text, headers } = await on.call({ url: `/account/qrcodes/export?${query}` });
    expect(status).toBe(200);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="codes-\d{4}-\d\d-\d\d\.csv"$/);
    expect(text.startsWith('\uFEFF')).toBe(true);
    const [head, ...rows] = parseStrictCsv(text.slice(1));
    return rows.map(row => Object.fromEntries(row.map((cell, at) => [head![at], cell])));
  };

  test('has every code that matches, the newest first, over several steps', async () => {
    const on = await signUp(api);
    const { body: me } = await on.call({ url: '/account/me' });
    await api.api.accounts.setPlan(parseId('acct', me.account.id)!, roomyPlan);
    for (let n = 0; n < 3; n++)
      await on.call({
        method: 'POST',
        url: '/account/v1/qrcodes/bulk',
        body: {
          items: Array.from({ length: 400 }, (_, at) => ({
            name: `Code ${n * 400 + at}`,
            destination_url: `https://${at % 2 ? 'odd' : 'even'}.example/`,
            tags: at % 4 === 0 ? ['fourth', 'Every'] : ['Every'],
            metadata: { row: String(at % 8) },
          })),
        },
      });
    const all = await exported(on);
    expect(all).toHaveLength(1200);
    expect(new Set(all.map(({ id }) => id)).size).toBe(1200);
    expect([all[0]!.name, all.at(-1)!.name]).toEqual(['Code 1199', 'Code 0']);
    expect(all.at(-1)!.tags).toBe('Every | fourth');
    expect(await exported(on, 'tag=fourth')).toHaveLength(300);
    expect(await exported(on, 'destination_host=odd.example&tag=every')).toHaveLength(600);
    expect(await exported(on, 'metadata=row:1&availability=live')).toHaveLength(150);
    expect(await exported(on, 'availability=off')).toEqual([]);
    expect(await exported(on, 'status=paused')).toEqual([]);
    expect(await exported(on, 'mode=test')).toEqual([]);
  });

  test('lets no cell become a formula, and has what the code has', async () => {
    const on = await signUp(api);
    const code = {
      name: ';=cmd|calc',
      note: '\t+1',
      external_id: '@ref',
      tags: ['-1', '＝1'],
      metadata: { 'no.': '7', branch: '=1' },
    };
    await make(on, code.name, code);
    const [row] = await exported(on);
    expect(row).toMatchObject({
      name: ";'=cmd|calc",
      note: "'\t'+1",
      external_id: "'@ref",
      tags: "'-1 | ＝1",
      metadata: JSON.stringify(code.metadata),
      status: 'active',
      total_scans: '0',
    });
  });
});
