import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createPostgres, type Postgres } from '../../platform/postgres/postgres.ts';
import { createKeyFilter, type KeyFilter } from './key-filter.ts';
import { KeyLoader } from './key-loader.ts';

let api: TestApi;
let db: Postgres;
let key: string;
beforeAll(async () => {
  api = await createTestApi();
  db = createPostgres({ ...api.config, databaseTimeoutMs: 30_000 }, () => undefined);
  key = (await api.account()).live;
});
afterAll(async () => {
  await db.close();
  await api.close();
});

async function create(short_code: string): Promise<void> {
  const body = { name: 'x', destination_url: 'https://example.com', short_code };
  expect((await api.call({ method: 'POST', url: '/v1/qrcodes', key, body })).status).toBe(201);
}

function load(filter: KeyFilter, lease: { term: number; isGood(): boolean }): void {
  const loader = new KeyLoader({ db, filter, lease, onError: () => undefined });
  loader.start();
  onTestFinished(() => loader.stop());
}

test('all short codes are read, whatever their case, and new ones after a new lease', async () => {
  await create('Front-Desk');
  const [filter, lease] = [createKeyFilter(), { term: 1, isGood: () => true }];
  load(filter, lease);
  await waitUntil('the filter is filled', async () => filter.estimate('front-desk') === 'likely');
  expect(filter.estimate('never-was')).toBe('unlikely');
  await create('not-announced');
  lease.term = 2;
  await waitUntil('it has caught up', async () => filter.estimate('not-announced') === 'likely');
});

test('a filter that turns out too small is rebuilt with capacity for all keys', async () => {
  const account = (await api.account()).id;
  await db.query(
    {
      name: 'many-codes',
      text: `insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style,
               created_at, updated_at)
             select gen_random_uuid(), $1, 'live', n, 'active', 'api', 'many-' || n, 'many-' || n, 'x', 'https://example.com', '{}', now(), now()
             from generate_series(1, 150000) n`,
    },
    [account],
  );
  const filter = createKeyFilter();
  load(filter, { term: 1, isGood: () => true });
  await waitUntil('the filter is filled', async () => filter.estimate('many-150000') === 'likely');
  expect(filter.isFull()).toBe(false);
  expect(filter.estimate('never-was')).toBe('unlikely');
});
