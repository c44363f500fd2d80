import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccountStore } from '../../apps/server/src/accounts/store.ts';
import { readMigrations } from '../../apps/server/src/platform/migration-files.ts';
import { migrate } from '../../apps/server/src/platform/migrations.ts';
import { createPostgres, type Postgres } from '../../apps/server/src/platform/postgres.ts';
import { createLinkStore } from '../../apps/server/src/redirect/store.ts';
import { createEmptyDatabase } from '../support/database.ts';

/** What 0.1 has applied, and not more. */
const lastOfOld = '0016';
const [one, two] = ['a0000000-0000-0000-0000-000000000001', 'a0000000-0000-0000-0000-000000000002'] as const;

/** Names as 0.1 has them: one for live and test codes of everybody. */
const codes = [
  ['live', one, 'Menu', 'active'],
  ['live', one, 'gone-live', 'deleted'],
  ['live', two, 'test', 'paused'],
  ['test', one, 'Trial', 'active'],
  ['test', one, 'gone-test', 'deleted'],
  ['test', two, 'draft-of-two', 'draft'],
] as const;

let url: string;
let client: pg.Client;
let db: Postgres;

beforeAll(async () => {
  url = await createEmptyDatabase();
  client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create table schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  for (const { name, sql, checksum } of await readMigrations('postgres')) {
    if (name.slice(0, 4) > lastOfOld) continue;
    await client.query(sql);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
  }
  for (const id of [one, two])
    await client.query(`insert into accounts (id, name, plan, created_at) values ($1, 'x', 'free', now())`, [
      id,
    ]);
  for (const [n, [mode, account, shortCode, status]] of codes.entries()) {
    const blank = status === 'deleted';
    await client.query(
      `insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, name, destination_url, style, created_at, updated_at)
       values ($1, $2, $3, $4, $5, 'api', $6, $7, $8, '{}', now(), now())`,
      [
        idOf(n),
        account,
        mode,
        n,
        status,
        shortCode,
        blank ? '' : 'x',
        blank ? '' : `https://example.com/${n}`,
      ],
    );
  }
  await client.query(`insert into link_changes (short_code) values ('menu')`);
  await client.query(`insert into erasures (qr_code_id, requested_at) values ($1, now())`, [idOf(4)]);
  await migrate(url);
  db = createPostgres(
    { databaseUrl: url, databasePooler: 'none', databasePoolSize: 2, databaseTimeoutMs: 10_000 },
    () => {},
  );
});
afterAll(async () => {
  await client?.end();
  await db?.close();
});

const idOf = (n: number) => `c0000000-0000-0000-0000-00000000000${n}`;

async function tagOf(account: string): Promise<string> {
  const { rows } = await client.query('select test_tag from accounts where id = $1', [account]);
  return rows[0].test_tag;
}

test('every account gets a tag of its own, and so does every account after it', async () => {
  await createAccountStore(db).insertAccount({
    id: 'a0000000-0000-0000-0000-000000000003',
    name: 'y',
    plan: 'free',
    createdAt: new Date(),
    closedAt: null,
  });
  const { rows } = await client.query<{ test_tag: string }>('select test_tag from accounts');
  for (const { test_tag: tag } of rows) expect(tag).toMatch(/^[23456789bcdfghjkmnpqrstvwxyz]{8}$/);
  expect(new Set(rows.map(row => row.test_tag)).size).toBe(3);
});

test('live codes stay where they are, and test codes move under the tag of their account, tombstones too', async () => {
  const tags = { [one]: await tagOf(one), [two]: await tagOf(two) };
  const keys = codes.map(
    ([mode, account, shortCode]) => (mode === 'test' ? `t/${tags[account]}/` : '') + shortCode.toLowerCase(),
  );
  const links = await createLinkStore(db, { reach: async () => {} }).find([
    ...keys,
    'trial',
    'gone-test',
    'draft-of-two',
  ]);
  expect([...links.keys()].sort()).toEqual(keys.toSorted());
  for (const [n, [mode, accountId, , status]] of codes.entries())
    expect(links.get(keys[n]!)).toMatchObject({ qrCodeId: idOf(n), mode, accountId, status });
});

test('a name that was a test code’s is free for live codes, and none is had twice in one space', async () => {
  const insert = (shortCode: string, mode: string, space: string) =>
    client.query(
      `insert into qr_codes (id, account_id, mode, number, status, made_by, key_space, short_code, name, destination_url, style, created_at, updated_at)
       values (gen_random_uuid(), $1, $2, 99, 'active', 'api', $3, $4, 'x', 'https://example.com', '{}', now(), now())`,
      [two, mode, space, shortCode],
    );
  await insert('GONE-test', 'live', '');
  await expect(insert('gone-LIVE', 'live', '')).rejects.toThrow(/qr_codes_key/);
  await expect(insert('Gone-Test', 'test', `t/${await tagOf(one)}/`)).rejects.toThrow(/qr_codes_key/);
  await expect(insert('astray', 'live', `t/${await tagOf(two)}/`)).rejects.toThrow(/qr_codes_key_space/);
  await expect(insert('astray', 'test', '')).rejects.toThrow(/qr_codes_key_space/);
});

test('an erasure that is pending knows whose code it was', async () => {
  const { rows } = await client.query('select account_id, mode from erasures where qr_code_id = $1', [
    idOf(4),
  ]);
  expect(rows).toEqual([{ account_id: one, mode: 'test' }]);
});
