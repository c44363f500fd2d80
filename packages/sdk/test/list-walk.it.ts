import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Signpost } from '../src/index.ts';

/** Lists that are longer than what is counted of a filtered one, walked to their end by page, by cursor and by the SDK. */

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi({ DATABASE_TIMEOUT_MS: '30000' });
});
afterAll(() => api?.close());

/** The SDK on the API in this process. */
const clientOf = ({ live }: TestAccount) =>
  new Signpost({
    apiKey: live,
    baseUrl: 'https://api.signpost.example',
    async fetch(address, { method, headers, body }) {
      const { pathname, search } = new URL(address);
      const answer = await api.call({
        method: method as 'GET',
        url: pathname + search,
        headers: headers as Record<string, string>,
        ...(body ? { body: JSON.parse(String(body)) } : {}),
      });
      return new Response(answer.text, { status: answer.status, headers: answer.headers });
    },
  });

/** Makes codes; resolves to their ids, the oldest first. */
async function make({ live }: TestAccount, count: number, more: object = {}): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const items = Array.from({ length: Math.min(500, count - ids.length) }, (_, n) => ({
      name: `Code ${ids.length + n}`,
      destination_url: 'https://example.com/',
      ...more,
    }));
    const { body } = await api.call({
      method: 'POST',
      url: '/v1/qrcodes/bulk',
      key: live,
      body: { items },
    });
    ids.push(...body.data.map((item: { qr_code: { id: string } }) => item.qr_code.id));
  }
  return ids;
}

const list = ({ live }: TestAccount, query: string) => api.call({ url: `/v1/qrcodes?${query}`, key: live });
const idsOf = (body: { data: readonly { id: string }[] }) => body.data.map(({ id }) => id);

/** Reads pages until one has no more after it; at most `most`. */
async function walk(owner: TestAccount, next: (page: number, last: string) => string, most = 500) {
  const seen: string[] = [];
  for (let page = 1; page <= most; page++) {
    const { status, body } = await list(owner, next(page, seen.at(-1) ?? ''));
    expect(status).toBe(200);
    seen.push(...idsOf(body));
    if (!body.pagination.has_more) return seen;
  }
  throw new Error(`There are more after ${most} pages`);
}

const byCursor = (query: string) => (_page: number, last: string) =>
  `${query}&limit=100${last === '' ? '' : `&starting_after=${last}`}`;

describe('1,200 codes under a filter', () => {
  let owner: TestAccount;
  let newest: string[];
  beforeAll(async () => {
    owner = await api.account();
    newest = (await make(owner, 1200, { tags: ['walk'] })).toReversed();
    await make(owner, 30);
  });

  test('by page the first 1,000 are reached, and then 400 names starting_after', async () => {
    const seen: string[] = [];
    for (let page = 1; page <= 10; page++) {
      const { body } = await list(owner, `tag=walk&limit=100&page=${page}`);
      expect(body.pagination).toMatchObject({ page, total: 1000, capped: true, has_more: true });
      seen.push(...idsOf(body));
    }
    expect(seen).toEqual(newest.slice(0, 1000));
    for (const [limit, page] of [
      [100, 11],
      [30, 35],
      [1, 1001],
    ]) {
      const { status, body } = await list(owner, `tag=walk&limit=${limit}&page=${page}`);
      expect([status, body.error.code, body.error.param]).toEqual([400, 'too_many_codes', 'page']);
      expect(body.error.message).toContain('starting_after');
    }
  });

  test('sorted by name they are all reached by page, and with a search 400 says what to narrow', async () => {
    const names = await walk(owner, page => `tag=walk&sort=name&limit=100&page=${page}`);
    expect(names.toSorted()).toEqual(newest.toSorted());
    const { status, body } = await list(owner, 'search=Code&sort=-scans&limit=100&page=11');
    expect([status, body.error.code]).toEqual([400, 'too_many_codes']);
    expect(body.error.message).toContain('Narrow the filter');
  });

  test('an empty page after the last one of a list that is reached whole stays 200', async () => {
    for (const query of [
      'tag=walk&sort=name&page=99',
      'page=99',
      'status=active&page=9999',
      'tag=none&page=11',
    ]) {
      const { status, body } = await list(owner, `${query}&limit=100`);
      expect([query, status, body.data, body.pagination.has_more]).toEqual([query, 200, [], false]);
    }
  });

  test('by cursor, in both directions, and by the SDK there are 1,200', async () => {
    expect(await walk(owner, byCursor('tag=walk'))).toEqual(newest);
    expect(await walk(owner, byCursor('tag=walk&sort=created'))).toEqual(newest.toReversed());
    const client = clientOf(owner);
    const all: string[] = [];
    for await (const { id } of client.qrcodes.list({ tag: ['walk'], limit: 100 })) all.push(id);
    expect(all).toEqual(newest);
    const before: string[] = [];
    const oldest = newest.at(-1)!;
    for await (const { id } of client.qrcodes.list({ tag: ['walk'], limit: 100, ending_before: oldest }))
      before.push(id);
    expect(before.toSorted()).toEqual(newest.slice(0, -1).toSorted());
  });

  test('has_more is true on each page that another one follows, and on no other', async () => {
    const { body: whole } = await list(owner, `tag=walk&limit=100&starting_after=${newest[1099]}`);
    expect([idsOf(whole).length, whole.pagination.has_more]).toEqual([100, false]);
    const { body: most } = await list(owner, `tag=walk&limit=99&starting_after=${newest[1099]}`);
    expect(most.pagination.has_more).toBe(true);
    const { body: before } = await list(owner, `tag=walk&limit=5&ending_before=${newest[5]}`);
    expect([idsOf(before), before.pagination.has_more]).toEqual([newest.slice(0, 5), false]);
    const { body: near } = await list(owner, `tag=walk&limit=5&ending_before=${newest[6]}`);
    expect([idsOf(near), near.pagination.has_more]).toEqual([newest.slice(1, 6), true]);
  });
});

test('a walk neither repeats nor misses a code while others create, edit and delete', async () => {
  const owner = await api.account();
  const before = await make(owner, 1200, { tags: ['busy'] });
  const doomed = before.filter((_, n) => n % 10 === 0);
  const kept = before.filter((_, n) => n % 10 !== 0);
  const client = clientOf(owner);
  const seen: string[] = [];
  for await (const { id } of client.qrcodes.list({ tag: ['busy'], limit: 50 })) {
    seen.push(id);
    if (seen.length % 10 !== 0) continue;
    const gone = doomed.includes(id) ? id : doomed.pop();
    if (gone) await client.qrcodes.delete(gone);
    await client.qrcodes.update(kept[seen.length % kept.length]!, { name: `Renamed ${seen.length}` });
    if (seen.length % 100 === 0) await make(owner, 3, { tags: ['busy'] });
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(kept.filter(id => !seen.includes(id))).toEqual([]);
});

test('deleting each code that the SDK lists deletes all of them', async () => {
  const owner = await api.account();
  await make(owner, 1200, { tags: ['old'] });
  await make(owner, 2);
  const client = clientOf(owner);
  for await (const { id } of client.qrcodes.list({ tag: ['old'], limit: 100 }))
    await client.qrcodes.delete(id);
  expect((await list(owner, '')).body.pagination.total).toBe(2);
  expect((await list(owner, 'tag=old')).body.pagination.total).toBe(0);
});

test('the list of the interface is walked by page to its end: 12,000 codes', async () => {
  const owner = await api.account();
  const newest = (await make(owner, 12_000)).toReversed();
  for (const query of ['', '&status=active']) {
    expect(await walk(owner, page => `limit=100&page=${page}${query}`)).toEqual(newest);
    const { status, body } = await list(owner, `limit=100&page=121${query}`);
    expect([status, body.data, body.pagination.total]).toEqual([200, [], 12_000]);
  }
  // In another order the newest 10,000 are sorted, and it says so instead of ending.
  const { status, body } = await list(owner, 'limit=100&page=101&sort=name');
  expect([status, body.error.code]).toEqual([400, 'too_many_codes']);
  expect(body.error.message).toContain('Narrow the filter');
});
