import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createEmptyDatabase } from '@signpost/testing/database.ts';
import pg from 'pg';
import { createApiKey, hashApiKey, hintOf } from '../../../apps/server/src/accounts/api-key.ts';
import type { ClickHouse } from '../../../apps/server/src/platform/clickhouse.ts';
import { statementsOf } from '../../../apps/server/src/platform/migration-files.ts';
import { createSecretCipher, newSecret } from '../../../apps/server/src/webhooks/secret.ts';

const here = import.meta.dirname;

/** Bytes that 0.1 itself wrote: two entries of its log, and a segment of its spool. */
export const written = JSON.parse(readFileSync(join(here, 'scans.json'), 'utf8')) as {
  readonly counted: { readonly batch: string; readonly scans: readonly string[]; readonly bytes: string };
  readonly waiting: { readonly batch: string; readonly scans: readonly string[]; readonly bytes: string };
  readonly spooled: { readonly batch: string; readonly scans: readonly string[]; readonly segment: string };
};

export const anna = '0193a000-0000-7000-8000-0000000000a1';
export const ben = '0193a000-0000-7000-8000-0000000000a2';
export const menu = '0193a000-0000-7000-8000-0000000000c1';
export const webhookKey = Buffer.alloc(32, 'k');

type File = { readonly name: string; readonly sql: string; readonly checksum: string };

/** The migrations of 0.1, as they were. */
export function oldMigrations(engine: 'postgres' | 'clickhouse'): File[] {
  return readdirSync(join(here, engine))
    .sort()
    .map(name => {
      const sql = readFileSync(join(here, engine, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/** A database as `signpost migrate` of 0.1 left it. */
export async function createOldDatabase(files = oldMigrations('postgres')): Promise<string> {
  const url = await createEmptyDatabase();
  await withClient(url, async client => {
    await client.query(`create table schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
    for (const { name, sql, checksum } of files) {
      await client.query(sql);
      await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
    }
  });
  return url;
}

/** Rows in every table; the key of Anna's account. */
export async function fillOldDatabase(url: string): Promise<{ live: string; test: string }> {
  const keys = { live: createApiKey('live'), test: createApiKey('test') };
  await withClient(url, async client => {
    await client.query(readFileSync(join(here, 'rows.sql'), 'utf8'));
    for (const key of Object.values(keys))
      await client.query(
        `insert into api_keys (id, account_id, mode, hash, hint, created_at, name)
         values (gen_random_uuid(), $1, $2, decode($3, 'hex'), $4, '2026-10-05', 'shop')`,
        [anna, key.mode, hashApiKey(key), hintOf(key)],
      );
    await client.query(
      `insert into webhook_endpoints (id, account_id, mode, url, description, enabled, secret, created_at, updated_at)
       values ('0193a000-0000-7000-8000-0000000000f1', $1, 'live', 'https://hooks.example.com/in', 'shop', true, $2,
               '2026-10-05', '2026-10-05')`,
      [anna, createSecretCipher([webhookKey]).encrypt(newSecret())],
    );
  });
  return { live: keys.live.text, test: keys.test.text };
}

export async function fillOldClickHouse(clickhouse: ClickHouse): Promise<void> {
  await clickhouse.command(`create table schema_migrations (
    name String comment 'The file',
    checksum String comment 'SHA-256 of the file as it was applied',
    applied_at DateTime64(3, 'UTC') default now64(3) comment 'When'
  ) engine = ReplacingMergeTree order by name settings fsync_after_insert = 1, fsync_part_directory = 1`);
  for (const { name, sql, checksum } of oldMigrations('clickhouse')) {
    for (const statement of statementsOf(sql)) await clickhouse.command(statement);
    await clickhouse.command(
      `insert into schema_migrations (name, checksum) values ('${name}', '${checksum}')`,
    );
  }
  for (const statement of statementsOf(readFileSync(join(here, 'scans.sql'), 'utf8')))
    await clickhouse.command(statement);
}

/** The stream as 0.1 made it, with a batch that it had counted and one that it had not. */
export async function fillOldLog(natsUrl: string): Promise<void> {
  const connection = await connect({ servers: natsUrl });
  const manager = await jetstreamManager(connection);
  await manager.streams.add({
    name: 'SCANS_0',
    subjects: ['scans.0'],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    max_age: 7 * 24 * 60 * 60 * 1e9,
  });
  const stream = jetstream(connection);
  for (const { bytes } of [written.counted, written.waiting])
    await stream.publish('scans.0', Buffer.from(bytes, 'hex'));
  await connection.close();
}

/** A segment that a redirect of 0.1 left when it was stopped while NATS was away. */
export function fillOldSpool(dir: string): void {
  const own = join(dir, '0a1b2c3d4e5f');
  mkdirSync(own, { recursive: true });
  writeFileSync(
    join(own, '1762776000000-00000001-0a1b2c3d4e5f.spool'),
    Buffer.from(written.spooled.segment, 'hex'),
  );
}

export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
