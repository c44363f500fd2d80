import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { inParallel } from '@signpost/testing/client.ts';
import { solidPng } from '@signpost/testing/solid-png.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import { createPostgres, type Postgres, sql } from '../../platform/postgres/postgres.ts';
import { createAssets } from './service.ts';

let api: TestApi;
let owner: TestAccount;
let bytesOfOne: number;
/** Connections of a process beside the API. */
let db: Postgres;

beforeAll(async () => {
  api = await createTestApi();
  db = createPostgres({ ...api.config, databasePoolSize: 4 }, () => undefined);
  const { body } = await upload(0x10_20_30, (await api.account()).live);
  bytesOfOne = body.bytes;
});
afterAll(async () => {
  await db.close();
  await api.close();
});
beforeEach(async () => {
  owner = await api.account();
});

const image = (color: number) => Buffer.from(solidPng(300, color)).toString('base64');
const upload = (color: number, key = owner.live) =>
  api.call({ method: 'POST', url: '/v1/assets', key, body: { image: image(color) } });
const remove = (id: string) => api.call({ method: 'DELETE', url: `/v1/assets/${id}`, key: owner.live });
const create = (assetId: string) =>
  api.call({
    method: 'POST',
    url: '/v1/qrcodes',
    key: owner.live,
    body: {
      name: 'Menu',
      destination_url: 'https://example.com/menu',
      style: { logo: { asset_id: assetId } },
    },
  });

const setLimit = (bytes: number) =>
  db.query(sql('test-asset-bytes', 'update plans set asset_bytes = $1'), [bytes]);

/** Deleted ones too, for as long as they are there. */
async function storedBytes(): Promise<number> {
  const [row] = await db.query<{ bytes: string }>(
    sql(
      'test-stored-bytes',
      'select coalesce(sum(length(png)), 0) as bytes from assets where account_id = $1',
    ),
    [owner.id],
  );
  return Number(row!.bytes);
}

/** Makes everything that was deleted old enough to be purged. */
const age = () =>
  db.query(
    sql(
      'test-age-assets',
      `update assets set deleted_at = deleted_at - interval '2 hours' where deleted_at is not null`,
    ),
  );

const purge = () =>
  createAssets({ ids: createIds(systemClock), clock: systemClock, intake: null as never })
    .purgeJob(db)
    .run(new AbortController().signal);

test('through 24 rounds of deleting and uploading, new logos and old ones, an account never stores more than its plan allows', async () => {
  const limit = Math.floor(3.5 * bytesOfOne);
  await setLimit(limit);
  let refused = 0;
  for (let round = 0; round < 24; round++) {
    const uploaded = await upload(round);
    if (uploaded.status === 201) expect((await remove(uploaded.body.id)).status).toBe(200);
    else {
      expect(uploaded).toMatchObject({ status: 403, body: { error: { code: 'quota_exceeded', limit } } });
      refused++;
    }
    // Those that were deleted come back while there is room for them.
    for (let earlier = 0; earlier < round; earlier++) await upload(earlier);
    expect(await storedBytes()).toBeLessThanOrEqual(limit);
  }
  expect(refused).toBeGreaterThan(0);
  const listed = await api.call({ url: '/v1/assets', key: owner.live });
  const total = listed.body.data.reduce((sum: number, asset: { bytes: number }) => sum + asset.bytes, 0);
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(limit);
});

test('nor do uploads, deletions and purges at the same time', async () => {
  const limit = Math.floor(3.5 * bytesOfOne);
  await setLimit(limit);
  let stored = 0;
  await inParallel(ciScale(240, 96), 6, async n => {
    const { status, body } = await upload(n % 8);
    // 429: this account is having another picture decoded.
    expect([201, 403, 429]).toContain(status);
    if (status === 201) stored++;
    if (status === 201 && n % 3 > 0) await remove(body.id);
    if (n % 12 === 0) {
      await age();
      await purge();
    }
    expect(await storedBytes()).toBeLessThanOrEqual(limit);
  });
  expect(stored).toBeGreaterThan(6);
});

test('a deleted logo comes back with its id, also where the account has no room for another', async () => {
  await setLimit(Math.floor(1.5 * bytesOfOne));
  const { id, bytes } = (await upload(1)).body;
  await remove(id);
  expect((await upload(2)).status).toBe(403);
  expect(await upload(1)).toMatchObject({ status: 201, body: { id } });
  await remove(id);
  // With a smaller plan there is no room for it any more.
  await setLimit(Math.floor(0.5 * bytesOfOne));
  expect(await upload(1)).toMatchObject({ status: 403, body: { error: { used: bytes } } });
});

test('deleted logos make room once they are purged, and the refusal says so', async () => {
  await setLimit(Math.floor(1.5 * bytesOfOne));
  await remove((await upload(1)).body.id);
  const { body } = await upload(2);
  expect(body.error.message).toContain('deleted in the last hour');
  await age();
  await purge();
  expect((await upload(2)).status).toBe(201);
});

test('a logo in use is never purged, however purges, uploads and new codes coincide', async () => {
  await setLimit(1_000_000_000);
  const made: string[] = [];
  for (let round = 0; round < ciScale(40, 10); round++) {
    const colors = Array.from({ length: 6 }, (_, n) => 0x100 + round * 6 + n);
    for (const color of colors) await remove((await upload(color)).body.id);
    await age();
    const [codes] = await Promise.all([
      Promise.all(
        colors.map(async color => {
          let uploaded = await upload(color);
          while (uploaded.status === 429) uploaded = await upload(color);
          const created = await create(uploaded.body.id);
          return { created, assetId: uploaded.body.id as string };
        }),
      ),
      inParallel(12, 2, purge),
    ]);
    for (const { created, assetId } of codes) {
      expect(created.status).toBe(201);
      made.push(assetId);
    }
  }
  await age();
  await purge();
  for (const id of made)
    expect((await api.call({ url: `/v1/assets/${id}`, key: owner.live })).status).toBe(200);
});

test('a logo that a code took while it was being deleted is kept, and listed again', async () => {
  await setLimit(1_000_000_000);
  const { id } = (await upload(7)).body;
  expect((await create(id)).status).toBe(201);
  await db.query(sql('test-delete-asset', `update assets set deleted_at = now() - interval '2 hours'`));
  await purge();
  expect((await api.call({ url: `/v1/assets/${id}`, key: owner.live })).status).toBe(200);
});
