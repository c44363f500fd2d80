import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { zxing } from '@signpost/testing/decoders.ts';
import { unlimitedPlan } from '@signpost/testing/plan.ts';
import { rasterOfPng } from '@signpost/testing/raster.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { goodStanding } from '../kernel/caller.ts';
import { systemClock } from '../kernel/clock.ts';
import { createIds } from '../kernel/ids.ts';
import { sql } from '../platform/postgres/postgres.ts';
import { createQrCodes } from './service.ts';

let api: TestApi;
let owner: TestAccount;
let other: TestAccount;
let base: string;

beforeAll(async () => {
  api = await createTestApi();
});
beforeEach(async () => {
  [owner, other] = [await api.account(), await api.account()];
  base = `https://sign.example/t/${await tagOf(owner)}`;
});
afterAll(() => api.close());

async function tagOf({ id }: TestAccount): Promise<string> {
  const [row] = await api.api.db.query<{ test_tag: string }>(
    sql('test-tag-of', 'select test_tag from accounts where id = $1'),
    [id],
  );
  return row!.test_tag;
}

const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };
const post = (short_code: string | undefined, key: string) =>
  api.call({ method: 'POST', url: '/v1/qrcodes', key, body: { ...menu, short_code } });
const bulk = (names: readonly string[], key: string, atomic = false) =>
  api.call({
    method: 'POST',
    url: '/v1/qrcodes/bulk',
    key,
    body: { atomic, items: names.map(short_code => ({ ...menu, short_code })) },
  });
const remove = (id: string, key: string) => api.call({ method: 'DELETE', url: `/v1/qrcodes/${id}`, key });
const image = (id: string) => api.call({ url: `/images/${id}/public` });
const used = async (name: string, key: string) => {
  const { body } = await post(name, key);
  expect((await remove(body.id, key)).status).toBe(200);
  return body.id as string;
};

describe('a test code', () => {
  test('has the tag of its account in its short link, the same in every response and in its image', async () => {
    expect(await tagOf(owner)).toMatch(/^[23456789bcdfghjkmnpqrstvwxyz]{8}$/);
    expect(await tagOf(owner)).not.toBe(await tagOf(other));
    const { body: code } = await post('Lunch', owner.test);
    expect(code).toMatchObject({ short_code: 'Lunch', short_url: `${base}/Lunch` });
    const { body: generated } = await post(undefined, owner.test);
    expect(generated.short_url).toBe(`${base}/${generated.short_code}`);
    const url = `/v1/qrcodes/${code.id}`;
    expect((await api.call({ url, key: owner.test })).body.short_url).toBe(`${base}/Lunch`);
    const patched = await api.call({ method: 'PATCH', url, key: owner.test, body: { name: 'x' } });
    expect(patched.body.short_url).toBe(`${base}/Lunch`);
    const { body: list } = await api.call({ url: '/v1/qrcodes', key: owner.test });
    expect(list.data.map((one: { short_url: string }) => one.short_url)).toContain(`${base}/Lunch`);
    const { body: many } = await bulk(['Dinner'], owner.test);
    expect(many.data[0].qr_code.short_url).toBe(`${base}/Dinner`);
    for (const path of [`/images/${code.id}/public`, `${url}/download`]) {
      const { rawPayload } = await api.api.app.inject({
        url: `${path}?format=png`,
        headers: { authorization: `Bearer ${owner.test}` },
      });
      expect(await zxing(rasterOfPng(rawPayload))).toBe(`${base}/Lunch`);
    }
  });

  test('can have the short code of a live code or of another account’s test code, without disclosing them', async () => {
    const made = [
      await post('side-by-side', owner.test),
      await post('side-by-side', other.test),
      await post('Side-By-Side', other.live),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(made.map(({ body }) => body.short_url.toLowerCase())).size).toBe(3);
    const more = await post('SIDE-by-side', owner.test);
    expect(more).toMatchObject({
      status: 409,
      body: { error: { code: 'short_code_taken', param: 'short_code' } },
    });
    expect(more.body.error.message).toContain('in use by another of your test codes');
    expect((await post('side-by-side', owner.live)).body.error.message).toContain('already taken');
  });

  test('leaves its short code to live codes when it is deleted, of its account and of others', async () => {
    await used('was-a-test-1', owner.test);
    await used('was-a-test-2', owner.test);
    expect((await post('was-a-test-1', owner.live)).status).toBe(201);
    expect((await post('was-a-test-2', other.live)).status).toBe(201);
    await used('was-live', owner.live);
    expect((await post('was-live', owner.test)).status).toBe(201);
    expect((await post('was-live', owner.live)).body.error.code).toBe('short_code_taken');
  });

  test('leaves its short code to the next test code of its account, any number of times', async () => {
    const ids = new Set<string>();
    for (let n = 0; n < 5; n++) ids.add(await used(n % 2 ? 'AGAIN' : 'again', owner.test));
    expect(ids.size).toBe(5);
    const { status, body } = await post('again', owner.test);
    expect([status, body.short_url]).toEqual([201, `${base}/again`]);
    const { body: list } = await api.call({ url: '/v1/qrcodes', key: owner.test });
    expect([list.pagination.total, list.data[0].id]).toEqual([1, body.id]);
    const items = await bulk(['again', 'fresh', 'again-2'], owner.test);
    expect(items.body).toMatchObject({ created: 2, failed: 1 });
    expect(items.body.data[0].error.message).toContain('another of your test codes');
  });

  test('that is deleted has a public image of 410, and 404 once the short code is used again', async () => {
    const id = await used('pictured', owner.test);
    expect((await image(id)).status).toBe(410);
    const { body } = await post('pictured', owner.test);
    expect((await image(id)).status).toBe(404);
    expect((await image(body.id)).status).toBe(200);
    expect((await api.call({ url: `/v1/qrcodes/${id}`, key: owner.test })).status).toBe(404);
    expect((await remove(id, owner.test)).status).toBe(404);
  });

  test('stays deleted where its short code was requested and refused', async () => {
    const id = await used('kept', owner.test);
    await post('in-the-way', owner.test);
    expect((await bulk(['kept', 'in-the-way'], owner.test, true)).status).toBe(400);
    expect((await image(id)).status).toBe(410);
    expect((await post('kept', other.test)).status).toBe(201);
    expect((await image(id)).status).toBe(410);
  });
});

describe('the short code of a deleted test code', () => {
  test('goes to one of 40 concurrent requests', async () => {
    await used('raced', owner.test);
    const answers = await Promise.all(Array.from({ length: 40 }, () => post('raced', owner.test)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 39 }, () => 409)]);
  });

  test('is used again by many calls with many short codes in any order, while codes are deleted, without a deadlock', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `shuffled-${n}`);
    const existing = new Map<string, string>();
    const turn = async (n: number) => {
      const order = n % 2 ? names : names.toReversed();
      const { status, body } = await bulk(order.slice(n % 5), owner.test);
      expect(status).toBe(200);
      for (const { qr_code } of body.data) if (qr_code) existing.set(qr_code.short_code, qr_code.id);
      for (const id of [...existing.values()].slice(0, 4))
        expect([200, 404]).toContain((await remove(id, owner.test)).status);
    };
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: 8 }, (_, n) => turn(round + n)));
    const { body } = await api.call({ url: '/v1/qrcodes?limit=100', key: owner.test });
    const left = body.data.map((one: { short_url: string }) => one.short_url);
    expect(new Set(left).size).toBe(left.length);
    expect(body.pagination.total).toBe(left.length);
  });

  test('is queued for invalidation with its use, so that redirects get it even if the API is killed before it sends it', async () => {
    await used('announced', owner.test);
    const tag = await tagOf(owner);
    const service = createQrCodes({
      ids: createIds(systemClock),
      clock: systemClock,
      ownAddresses: { includes: () => false },
      links: { invalidate: async () => {} },
    });
    const via = { kind: 'key', id: owner.id } as const;
    const noted = await api.api.db.transaction(async tx => {
      const [last] = await tx.query<{ n: number }>(
        sql('last-change', 'select coalesce(max(n), 0) as n from link_changes'),
      );
      await service.create(
        tx,
        {
          accountId: owner.id,
          mode: 'test',
          testTag: tag,
          plan: unlimitedPlan,
          via,
          role: null,
          permissions: new Set(),
          ...goodStanding,
        },
        {
          name: 'x',
          destinationUrl: 'https://example.com',
          shortCode: 'announced',
          status: 'active',
          style: {},
        },
      );
      return await tx.query<{ key: string }>(
        sql('noted-changes', 'select key from link_changes where n > $1'),
        [last!.n],
      );
    });
    expect(noted).toEqual([{ key: `t/${tag}/announced` }]);
  });
});
