import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../platform/postgres/postgres.ts';

/** What is the same in every call: how codes and designs are named, and in which states codes are created. */

let api: TestApi;
let owner: TestAccount;
beforeAll(async () => {
  api = await createTestApi({ DATABASE_TIMEOUT_MS: '30000' });
  owner = await api.account();
});
afterAll(() => api?.close());

const menu = { name: 'Menu', destination_url: 'https://example.com/' };
const send = (method: 'POST' | 'PATCH' | 'PUT', url: string, body: object, key = owner.live) =>
  api.call({ method, url: `/v1${url}`, key, body });
const get = (url: string, key = owner.live) => api.call({ url: `/v1${url}`, key });
let made = 0;
const make = async (more: object = {}) =>
  (await send('POST', '/qrcodes', { ...menu, external_id: `word-${made++}`, ...more })).body;

/** No font of ours has its letters. */
const unprintable = 'メニュー';

/** A caption that cannot be printed is refused when codes and design are known: then nothing has to be drawn. */
async function refusalOfSheet(body: object): Promise<readonly [number, string | undefined]> {
  const answer = await send('POST', '/sheets', { ...body, layout: 'avery-l7160', caption: 'name' });
  return [answer.status, answer.body.error.param];
}

describe('a list of codes', () => {
  const calls: Readonly<Record<string, (list: object) => Promise<{ status: number; body: never }>>> = {
    'bulk edit': list => send('PATCH', '/qrcodes/bulk', { ...list, set: { note: 'x' } }) as never,
    'bulk delete': list =>
      send('POST', '/qrcodes/bulk-delete', { ...list, expected_count: 2, dry_run: true }) as never,
    'ZIP file': list => send('POST', '/images/zip', list) as never,
  };

  test.each(Object.keys(calls))('of a %s has ids or qr_ids, with ids of ours and of yours', async name => {
    const [one, two] = [await make(), await make()];
    const list = [one.id, `ext:${two.external_id}`];
    for (const field of ['ids', 'qr_ids']) {
      const answer = await calls[name]!({ [field]: list });
      expect([field, answer.status]).toEqual([field, 200]);
    }
    const both = (await calls[name]!({ ids: list, qr_ids: list })) as { status: number; body: unknown };
    expect([both.status, both.body]).toMatchObject([400, { error: { param: 'qr_ids' } }]);
  });

  test('of a sheet has them too', async () => {
    const [one, two] = [await make(), await make({ name: unprintable })];
    const list = [one.id, `ext:${two.external_id}`];
    for (const field of ['ids', 'qr_ids']) {
      expect(await refusalOfSheet({ [field]: list })).toEqual([400, 'caption']);
      expect(await refusalOfSheet({ [field]: [...list, 'ext:nobody'] })).toEqual([404, undefined]);
    }
    expect(await refusalOfSheet({ ids: list, qr_ids: list })).toEqual([400, 'qr_ids']);
  });

  test('has its outcomes by the names that were sent, also of codes that there are not', async () => {
    const code = await make();
    const ids = [`ext:${code.external_id}`, 'ext:nobody', 'qr_nonsense', 'ext:\0'];
    const { body } = await send('PATCH', '/qrcodes/bulk', { ids, set: { note: 'y' } });
    expect(body.data.map((item: { status: string }) => item.status)).toEqual([
      'updated',
      'failed',
      'failed',
      'failed',
    ]);
    expect(body.data[0].qr_code.id).toBe(code.id);
    expect(body.data.slice(1).map(({ id }: { id: string }) => id)).toEqual(ids.slice(1));
    const gone = await send('POST', '/qrcodes/bulk-delete', { ids, expected_count: 1 });
    expect([gone.body.deleted, gone.body.failed]).toEqual([1, 3]);
    expect((await get(`/qrcodes/${code.id}`)).status).toBe(404);
  });

  test('of another account is not found by its external id', async () => {
    const code = await make();
    const stranger = await api.account();
    const body = { ids: [`ext:${code.external_id}`], set: { note: 'z' } };
    const answer = await send('PATCH', '/qrcodes/bulk', body, stranger.live);
    expect(answer.body).toMatchObject({ updated: 0, failed: 1 });
  });

  test('goes on after or before a code that is named by its external id', async () => {
    const account = await api.account();
    for (const id of ['a', 'b', 'c'])
      await send('POST', '/qrcodes', { ...menu, name: id, external_id: id }, account.live);
    const names = async (query: string) =>
      (await get(`/qrcodes?${query}`, account.live)).body.data.map(({ name }: { name: string }) => name);
    expect(await names('starting_after=ext:b')).toEqual(['a']);
    expect(await names('ending_before=ext:b')).toEqual(['c']);
    const unknown = await get('/qrcodes?starting_after=ext:d', account.live);
    expect([unknown.status, unknown.body.error.param]).toEqual([400, 'starting_after']);
  });
});

test('a design is named by design_id in downloads, sheets and ZIP files; design is an alias', async () => {
  const code = await make({ name: unprintable });
  const { body: design } = await send('POST', '/designs', { name: 'Green', style: { dotsColor: '#0B3D2E' } });
  const { body: other } = await send('POST', '/designs', { name: 'Blue', style: { dotsColor: '#0B2E3D' } });
  const svg = async (query: string) => (await get(`/qrcodes/${code.id}/download?format=svg&${query}`)).text;
  expect(await svg(`design_id=${design.id}`)).toBe(await svg(`design=${design.id}`));
  expect(await svg(`design_id=${design.id}`)).not.toBe(await svg(''));
  const none = 'dsn_00000000000000000000000000';
  const ids = [code.id];
  for (const field of ['design_id', 'design']) {
    expect(await refusalOfSheet({ ids, [field]: design.id })).toEqual([400, 'caption']);
    expect(await refusalOfSheet({ ids, [field]: none })).toEqual([404, undefined]);
    expect((await send('POST', '/images/zip', { ids, [field]: none })).status).toBe(404);
  }
  const differ = { ids, design_id: design.id, design: other.id };
  expect(await refusalOfSheet(differ)).toEqual([400, 'design']);
  expect((await send('POST', '/images/zip', differ)).body.error.param).toBe('design');
});

describe('a code that is created paused', () => {
  const usage = async (key: string) => (await get('/account', key)).body.used.qr_codes;

  test('does not redirect, is counted as paused, and goes on when it is resumed', async () => {
    const { id: accountId, live } = await api.account();
    const paused = (await send('POST', '/qrcodes', { ...menu, status: 'paused' }, live)).body;
    expect(paused).toMatchObject({ status: 'paused', active: false, availability: { state: 'off' } });
    const items = ['paused', 'active', 'draft', 'paused'].map(status => ({ ...menu, status }));
    const bulk = await send('POST', '/qrcodes/bulk', { items }, live);
    expect(bulk.body.data.map((item: { qr_code: { status: string } }) => item.qr_code.status)).toEqual(
      items.map(({ status }) => status),
    );
    const put = await send('PUT', '/qrcodes/ext:paused', { ...menu, status: 'paused' }, live);
    expect([put.status, put.body.status]).toEqual([201, 'paused']);
    const total = async (status: string) =>
      (await get(`/qrcodes?status=${status}`, live)).body.pagination.total;
    expect([await total('paused'), await total('active'), await total('draft')]).toEqual([4, 1, 1]);
    expect(await usage(live)).toBe(6);
    const buckets = await api.api.db.query(bucketsOf, [accountId]);
    expect(buckets).toEqual([{ active: 1, paused: 4, draft: 1 }]);
    const resumed = await send('PATCH', `/qrcodes/${paused.id}`, { active: true }, live);
    expect(resumed.body).toMatchObject({ status: 'active', availability: { state: 'live' } });
    expect([await total('paused'), await total('active')]).toEqual([3, 2]);
  });

  test('counts against the quota like any other', async () => {
    const { live } = await api.account('free');
    const items = Array.from({ length: 101 }, () => ({ ...menu, status: 'paused' }));
    const over = await send('POST', '/qrcodes/bulk', { items, atomic: true }, live);
    expect([over.status, over.body.error.code]).toEqual([403, 'quota_exceeded']);
    expect(await usage(live)).toBe(0);
  });
});

test('a dry run of a bulk creation has the status valid, and neither ids nor links', async () => {
  const { live } = await api.account();
  const items = [{ ...menu, status: 'paused' }, { name: 'x' }, { ...menu, short_code: 'dry-word' }];
  const { body } = await send('POST', '/qrcodes/bulk', { items, dry_run: true }, live);
  expect([body.dry_run, body.created, body.failed]).toEqual([true, 2, 1]);
  expect(body.data[0]).toEqual({ index: 0, status: 'valid' });
  expect(body.data[1]).toMatchObject({ index: 1, status: 'failed' });
  expect(body.data[2]).toEqual({ index: 2, status: 'valid' });
  expect((await get('/qrcodes', live)).body.pagination.total).toBe(0);
});

test('param has one syntax: names and positions with dots between them', async () => {
  const to = [{ url: 'https://example.com/' }];
  const window = { days: ['mon'], from: '10:00', to: '10:00' };
  const rules = [{ to }, { when: { time: { timezone: 'Europe/Berlin', windows: [window] } }, to }];
  const { body } = await send('POST', '/qrcodes', { ...menu, rules });
  expect(body.error.param).toBe('rules.1.when.time.windows.0.from');
  const typed = await send('POST', '/qrcodes', { ...menu, rules: [{ to: [{ url: 7 }] }] });
  expect(typed.body.error.param).toBe('rules.0.to.0.url');
  const inBulk = await send('POST', '/qrcodes/bulk', { items: [{ ...menu, rules }] });
  expect(inBulk.body.data[0].error.param).toBe('rules.1.when.time.windows.0.from');
  expect((await send('POST', '/qrcodes', { ...menu, tags: ['ok', ''] })).body.error.param).toBe('tags.1');
});

const bucketsOf = sql(
  'buckets-of-vocabulary-test',
  'select active, paused, draft from count_buckets where account_id = $1',
);
