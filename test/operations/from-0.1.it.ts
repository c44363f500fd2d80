import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import { ask } from '@signpost/testing/client.ts';
import { createTestDatabase, redisUrl } from '@signpost/testing/database.ts';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { authSecret } from '@signpost/testing/people.ts';
import { runCommand, TestServer } from '@signpost/testing/server.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClickHouse, createClickHouse } from '../../apps/server/src/platform/clickhouse.ts';
import { readMigrations } from '../../apps/server/src/platform/migration-files.ts';
import { migrate, requireMigrated } from '../../apps/server/src/platform/migrations.ts';
import {
  anna,
  ben,
  createOldDatabase,
  fillOldClickHouse,
  fillOldDatabase,
  fillOldLog,
  fillOldSpool,
  menu,
  oldMigrations,
  webhookKey,
  withClient,
  written,
} from './from-0.1/old-installation.ts';
import { clickHouseSchemaOf, schemaOf } from './from-0.1/schema.ts';

type Row = Record<string, unknown>;

let engines: { nats: Engine; clickhouse: Engine };
let clickhouse: ClickHouse;
let databaseUrl: string;
let client: pg.Client;
let keys: { live: string; test: string };
let env: Record<string, string>;
let oldRows: Map<string, Row[]>;
let migrated: { code: number; output: string };
let whileRunning: { code: number; output: string };
const servers: TestServer[] = [];

/** Tables that have another name now. */
const renamed: Record<string, string> = {
  code_tallies: 'code_counts',
  code_blocks: 'count_buckets',
  ingest_set_aside: 'ingest_quarantine',
  webhook_announcements: 'webhook_publications',
};

async function rowsOf(table: string): Promise<Row[]> {
  return (await client.query<{ row: Row }>(`select to_jsonb(t) as row from ${table} t`)).rows.map(
    ({ row }) => row,
  );
}

beforeAll(async () => {
  const [nats, chdb] = await Promise.all([startNats(), startClickHouse()]);
  engines = { nats, clickhouse: chdb };
  clickhouse = await createClickHouse(chdb.url);
  databaseUrl = await createOldDatabase();
  keys = await fillOldDatabase(databaseUrl);
  await fillOldClickHouse(clickhouse);
  await fillOldLog(nats.url);
  const spoolDir = mkdtempSync(join(tmpdir(), 'signpost-spool-'));
  fillOldSpool(spoolDir);
  env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    NATS_URL: nats.url,
    CLICKHOUSE_URL: chdb.url,
    SPOOL_DIR: spoolDir,
    SHORT_BASE_URL: 'https://sign.example',
    AUTH_SECRET: authSecret,
    WEBHOOK_SECRET_KEYS: webhookKey.toString('base64'),
  };
  client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace
        and relkind in ('r', 'p') and not relispartition and relname <> 'schema_migrations'`,
  );
  oldRows = new Map();
  for (const { name } of rows) oldRows.set(name, await rowsOf(name));

  const old = new pg.Client({ connectionString: databaseUrl, application_name: 'signpost' });
  await old.connect();
  whileRunning = await runCommand(['migrate'], env);
  await old.end();
  await waitUntil(
    'its connection is closed',
    async () =>
      (
        await client.query(`select from pg_stat_activity where application_name = 'signpost'
      and datname = current_database()`)
      ).rowCount === 0,
  );
  migrated = await runCommand(['migrate'], env);
});
afterAll(async () => {
  await Promise.all(servers.map(server => server.end('SIGTERM')));
  await client?.end();
  await clickhouse?.close();
  for (const engine of Object.values(engines ?? {})) await engine.remove();
});

async function start(role: string): Promise<TestServer> {
  const server = await TestServer.start(role, env);
  servers.push(server);
  return server;
}

test('migrate refuses while a process of 0.1 is connected, and changes nothing', () => {
  expect(whileRunning.code).toBe(1);
  expect(whileRunning.output).toContain('Stop every process of 0.1');
  expect(whileRunning.output).not.toContain('applied');
});

test('migrate takes both stores of 0.1 to this version, prints it, and has nothing left to do', async () => {
  expect(migrated).toMatchObject({ code: 0 });
  expect(migrated.output).toMatch(
    /This is a database of 0\.1[\s\S]+applied from-0\.1\.sql to PostgreSQL[\s\S]+applied from-0\.1\.sql to ClickHouse/,
  );
  expect(await runCommand(['migrate'], env)).toEqual({ code: 0, output: 'Everything is up to date.\n' });
  const { rows } = await client.query('select name, checksum from schema_migrations order by name');
  expect(rows).toEqual((await readMigrations('postgres')).map(({ name, checksum }) => ({ name, checksum })));
  expect(await clickhouse.query('select name, checksum from schema_migrations final order by name')).toEqual(
    (await readMigrations('clickhouse')).map(({ name, checksum }) => ({ name, checksum })),
  );
  await requireMigrated({ databaseUrl, databasePooler: 'none' });
});

test('its schema is that of a new database, in every column, constraint, index and comment', async () => {
  expect(await schemaOf(databaseUrl)).toEqual(await schemaOf(await createTestDatabase()));
  const fresh = await startMigratedClickHouse();
  try {
    expect(await clickHouseSchemaOf(clickhouse)).toEqual(await clickHouseSchemaOf(fresh.clickhouse));
  } finally {
    await fresh.clickhouse.close();
    await fresh.engine.remove();
  }
});

describe('rows', () => {
  test('were in every table of 0.1', () => {
    for (const [table, rows] of oldRows) expect(rows, table).not.toEqual([]);
  });

  test('are kept as they were, apart from links in the clear and changes that no redirect waits for', async () => {
    for (const [table, rows] of oldRows) {
      const kept = await rowsOf(renamed[table] ?? table);
      const isEmptied = table === 'auth_verifications' || table === 'link_changes';
      // `migrate` creates the next salts of visitors.
      if (table !== 'visitor_salts') expect(kept, table).toHaveLength(isEmptied ? 0 : rows.length);
      if (!isEmptied)
        expect(kept, table).toEqual(expect.arrayContaining(rows.map(row => expectedOf(table, row))));
    }
  });

  /** What must be found of a row of 0.1: its columns, by the names of today. */
  function expectedOf(table: string, row: Row): unknown {
    const { is_operator: _operator, block, verdicts, owner: _owner, ...same } = row;
    const expected: Row = { ...same };
    if (table === 'code_blocks') expected.bucket = block;
    if (table === 'ingest_groups')
      Object.assign(expected, { classifications: verdicts, log: 0, entries: null });
    if (table === 'ingest_set_aside')
      Object.assign(expected, { log: 0, entry: `\\x${Buffer.from(String(row.entry)).toString('hex')}` });
    if (table === 'erasures') Object.assign(expected, { account_id: anna, mode: row.mode ?? 'test' });
    return expect.objectContaining(expected);
  }

  test('of plans keep what the operator set, and get the limits that 0.1 did not know', async () => {
    const { rows } = await client.query(
      'select name, requests_per_minute, session_codes, test_codes, creations_per_minute from plans order by name',
    );
    expect(rows.map(row => Object.values(row))).toEqual([
      ['business', 120, null, 10000, 2500],
      ['enterprise', 300, null, 10000, 10000],
      ['free', 10, 100, 10000, 500],
      ['partner', 600, null, 10000, 10000],
      ['pro', 90, null, 10000, 1000],
    ]);
  });

  test('of people: everybody owns their account, and the operator is one still', async () => {
    const { rows } = await client.query(
      `select u.name, m.role, o.user_id is not null as is_operator, u.email_verified, u.verified_at = u.created_at as as_created
         from auth_users u join members m on m.user_id = u.id left join operators o on o.user_id = u.id order by u.name`,
    );
    const common = { role: 'owner', email_verified: false, as_created: true };
    expect(rows).toEqual([
      { name: 'Anna', is_operator: true, ...common },
      { name: 'Ben', is_operator: false, ...common },
    ]);
  });

  test('numbers go on behind those that were given out', async () => {
    const { rows } = await client.query(
      `select nextval('visitor_numbers')::integer as visitor,
              nextval(pg_get_serial_sequence('webhook_attempts', 'n'))::integer as attempt`,
    );
    expect(rows).toEqual([{ visitor: 3, attempt: 2 }]);
  });

  test('blocked hosts stop redirects, and owners are given no reason that 0.1 kept for the operator', async () => {
    const { rows } = await client.query(
      'select s.subject, s.reason, s.n::integer, v.n::integer as version, b.owner_reason from stops s, stop_version v, blocked_hosts b',
    );
    expect(rows).toEqual([
      { subject: 'host/bad.example', reason: 'blocked', n: 1, version: 1, owner_reason: null },
    ]);
  });
});

describe('the service on it', () => {
  let api: TestServer;
  let redirect: TestServer;
  beforeAll(async () => {
    [api, redirect] = await Promise.all([start('api'), start('redirect'), start('ingest')]);
  });

  const get = (path: string, key = keys.live) => ask({ url: `${api.url}/v1${path}`, key });

  async function tagOf(account: string): Promise<string> {
    const { rows } = await client.query('select test_tag from accounts where id = $1', [account]);
    return rows[0].test_tag;
  }

  test('live codes answer where they were, and test codes under the tag of their account, tombstones too', async () => {
    const statusOf = async (path: string) => (await ask({ url: `${redirect.url}/${path}` })).status;
    const [annas, bens] = [await tagOf(anna), await tagOf(ben)];
    expect(annas).not.toBe(bens);
    for (const tag of [annas, bens]) expect(tag).toMatch(/^[23456789bcdfghjkmnpqrstvwxyz]{8}$/);
    const found = await ask({ method: 'HEAD', url: `${redirect.url}/mENU` });
    expect([found.status, found.headers.location]).toEqual([302, 'https://example.com/menu']);
    const trial = await ask({ url: `${redirect.url}/t/${annas}/trial` });
    expect([trial.status, trial.headers.location]).toEqual([302, 'https://example.com/trial']);
    expect(await statusOf('gone')).toBe(410);
    expect(await statusOf(`t/${annas}/gone-test`)).toBe(410);
    for (const path of ['trial', 'gone-test', 'soon', `t/${bens}/trial`, `t/${bens}/bens-draft`])
      expect(await statusOf(path), path).toBe(404);
    expect(await statusOf('summer')).not.toBe(302);
    expect(await statusOf('phish')).not.toBe(302);
  });

  test('a name that was a test code’s is free for live codes, and that of a tombstone is not', async () => {
    const make = (short_code: string) =>
      ask({
        method: 'POST',
        url: `${api.url}/v1/qrcodes`,
        key: keys.live,
        body: { name: 'New', destination_url: 'https://example.com/new', short_code },
      });
    expect((await make('GONE-test')).status).toBe(201);
    expect((await make('Gone')).status).toBe(409);
  });

  test('scans in the log and in a spool of 0.1 are counted once, and a group that was open is stored', async () => {
    const all = [...written.counted.scans, ...written.waiting.scans, ...written.spooled.scans];
    await waitUntil('every scan is stored', async () => {
      const rows = await clickhouse.query<{ id: string }>('select toString(id) as id from scans');
      return all.every(id => rows.some(row => row.id === id));
    });
    // Three of 0.1 by two visitors; then the first visitor again, and two new ones.
    const { rows } = await client.query(
      'select total_scans::integer as total, unique_scans::integer as uniques from scan_counts where qr_code_id = $1',
      [menu],
    );
    expect(rows).toEqual([{ total: 6, uniques: 4 }]);
    expect(
      await clickhouse.query(
        `select count() as rows, uniqExact(id) as ids from scans where qr_code_id = '${menu}'`,
      ),
    ).toEqual([{ rows: 6, ids: 6 }]);
    await waitUntil(
      'no group is open',
      async () => (await client.query('select from ingest_groups')).rowCount === 0,
    );
  });

  test('the API lists the codes with their counts, and analytics have the scans of both versions', async () => {
    const { body } = await get('/qrcodes?limit=100');
    expect(body.data.map((code: Row) => code.short_url).sort()).toEqual(
      ['GONE-test', 'Menu', 'phish', 'soon', 'summer'].map(name => `https://sign.example/${name}`),
    );
    const listed = body.data.find((code: Row) => code.short_url === 'https://sign.example/Menu');
    expect(listed).toMatchObject({ name: 'Menu', total_scans: 6 });
    expect((await get('/qrcodes', keys.test)).body.pagination.total).toBe(1);
    const period = 'start_date=2026-11-01&end_date=2026-11-30';
    const analytics = await get(`/qrcodes/${listed.id}/analytics?${period}`);
    expect(analytics.body.summary).toMatchObject({ total_scans: 6, unique_visitors: 4 });
  });

  test('an installation that has an operator offers nobody to become the first', async () => {
    expect((await ask({ url: `${api.url}/auth/options` })).body).toMatchObject({ first_user: false });
    const link = await runCommand(['admin', 'reset-link', 'anna@people.example'], env);
    expect(link).toMatchObject({ code: 0, output: expect.stringContaining('reset-password#token=') });
  });

  test('every code gets its target, so that codes are found by where they lead', async () => {
    await waitUntil('the targets are filled', async () => {
      const { rows } = await client.query(`select done_at from backfills where name = 'code_targets'`);
      return rows[0].done_at !== null;
    });
    const { rows } = await client.query(
      'select c.short_code, t.host from code_targets t join qr_codes c on c.id = t.qr_code_id order by 1',
    );
    expect(rows.map(row => Object.values(row))).toEqual([
      ['GONE-test', 'example.com'],
      ['Menu', 'example.com'],
      ['Trial', 'example.com'],
      ['bens-draft', 'example.com'],
      ['phish', 'win.bad.example'],
      ['soon', 'example.com'],
      ['summer', 'example.com'],
    ]);
  });
});

describe('a database that migrate refuses', () => {
  test('has a part of 0.1: the error says to finish that first', async () => {
    const url = await createOldDatabase(oldMigrations('postgres').slice(0, 5));
    await expect(migrate(url)).rejects.toThrow(
      /PostgreSQL has a part of version 0\.1: it lacks 0006-visitor-numbers\.sql, [\s\S]+Run `signpost migrate` of 0\.1/,
    );
  });

  test('was made by neither version: the error names what was applied, and nothing is changed', async () => {
    const url = await createOldDatabase();
    await withClient(url, client =>
      client.query(`insert into schema_migrations (name, checksum) values ('0015-scan-logs.sql', 'x')`),
    );
    const refusal =
      /neither those of 0\.1 nor those of this version: [\s\S]*0015-scan-logs\.sql[\s\S]*empty database/;
    await expect(migrate(url)).rejects.toThrow(refusal);
    await expect(requireMigrated({ databaseUrl: url, databasePooler: 'none' })).rejects.toThrow(refusal);
    await withClient(url, async client =>
      expect((await client.query('select from code_tallies')).rowCount).toBe(0),
    );
  });

  test('is of 0.1, when a process starts: the error says what to do', async () => {
    const url = await createOldDatabase();
    await expect(requireMigrated({ databaseUrl: url, databasePooler: 'none' })).rejects.toThrow(
      'The database is of version 0.1. Stop all processes of 0.1, take a backup and run `signpost migrate`',
    );
  });
});
