import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createEmptyDatabase } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type MigrateOptions, migrate } from './migrations.ts';

/** A database with a table of its own, and a folder for the migrations of a test. */
async function openFixture() {
  const url = await createEmptyDatabase();
  const dir = mkdtempSync(join(tmpdir(), 'signpost-migrations-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const client = await connect(url);
  await client.query('create table things (id integer primary key, name text not null)');
  await client.query(`insert into things select n, 'thing ' || n from generate_series(1, 20000) n`);
  const printed: string[] = [];
  return {
    url,
    client,
    printed,
    write: (name: string, sql: string) => writeFileSync(join(dir, name), sql),
    migrate: (more: MigrateOptions = {}) =>
      migrate(url, {
        folder: pathToFileURL(`${dir}/`),
        print: line => printed.push(line),
        lockTimeoutMs: 300,
        retryForMs: 60_000,
        ...more,
      }),
    async isValid(index: string) {
      const { rows } = await client.query<{ valid: boolean }>(
        'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
        [index],
      );
      return rows[0]?.valid ?? null;
    },
  };
}

async function connect(url: string, application_name = 'psql'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A transaction that has written to the table, and stays open. */
async function holdOpen(url: string): Promise<pg.Client> {
  const holder = await connect(url, 'slow report');
  await holder.query('begin');
  await holder.query(`update things set name = 'a secret name' where id = 7`);
  return holder;
}

const buildIndex =
  '-- no transaction\n-- Names are looked for.\ncreate index concurrently if not exists things_name on things (name);\n';

const migratorBuilds = `select pid from pg_stat_activity
  where datname = current_database() and application_name = 'signpost migrate' and query like '%create index concurrently%'`;

describe('a migration outside a transaction', () => {
  test('builds an index without blocking readers and writers, and is recorded like any other', async () => {
    const { url, client, migrate, write, isValid } = await openFixture();
    write('0001-index.sql', buildIndex);
    const writer = await connect(url);
    let [isDone, written] = [false, 0];
    const writing = (async () => {
      for (let n = 100_000; !isDone; n++, written++)
        await writer.query('insert into things values ($1, $2)', [n, 'new']);
    })();
    expect(await migrate()).toEqual(['0001-index.sql']);
    isDone = true;
    await writing;
    expect(written).toBeGreaterThan(0);
    expect(await isValid('things_name')).toBe(true);
    expect(await migrate()).toEqual([]);
    expect((await client.query('select name from schema_migrations')).rows).toEqual([
      { name: '0001-index.sql' },
    ]);
    write('0001-index.sql', `${buildIndex}\n`);
    await expect(migrate()).rejects.toThrow('Another 0001-index.sql was applied to this database');
  });

  test('that was interrupted is finished by the next run: its unfinished index is dropped, and no other', async () => {
    const { url, client, printed, migrate, write, isValid } = await openFixture();
    await client.query('alter table things add column same integer not null default 1');
    await client
      .query('create unique index concurrently things_same on things (same)')
      .catch(() => undefined);
    expect(await isValid('things_same')).toBe(false);

    write('0001-index.sql', buildIndex);
    const holder = await holdOpen(url);
    const first = migrate();
    first.catch(() => undefined);
    let pid = 0;
    await waitUntil('the index waits for the open transaction', async () => {
      pid = (await client.query<{ pid: number }>(migratorBuilds)).rows[0]?.pid ?? 0;
      return pid !== 0 && (await isValid('things_name')) === false;
    });
    await client.query('select pg_terminate_backend($1)', [pid]);
    await expect(first).rejects.toThrow(/0001-index.sql/);
    await holder.query('commit');
    expect(await isValid('things_name')).toBe(false);

    expect(await migrate()).toEqual(['0001-index.sql']);
    expect(await isValid('things_name')).toBe(true);
    expect(await isValid('things_same')).toBe(false);
    expect(printed.join('\n')).toContain('The index things_name was left unfinished');
  });

  test('waits for older transactions, prints which, and goes on when they have ended', async () => {
    const { url, client, printed, migrate, write, isValid } = await openFixture();
    write('0001-index.sql', buildIndex);
    const holder = await holdOpen(url);
    const running = migrate({ printEveryMs: 100 });
    await waitUntil('it prints what it waits for', () => printed.some(line => line.includes('slow report')));
    // Longer than its lock timeout: nothing waits behind it.
    await client.query('select pg_sleep(0.5)');
    await client.query(`insert into things values (200000, 'beside')`);
    await holder.query('commit');
    expect(await running).toEqual(['0001-index.sql']);
    expect(await isValid('things_name')).toBe(true);
    expect(printed.join('\n')).not.toContain('a secret name');
  });

  test('that another process has finished meanwhile leaves no long lock timeout to the next', async () => {
    const { url, client, printed, migrate, write, isValid } = await openFixture();
    write('0001-index.sql', buildIndex);
    write(
      '0002-noted.sql',
      `create table noted as select current_setting('lock_timeout') as lock_timeout;\n`,
    );
    const holder = await holdOpen(url);
    const builder = await connect(url);
    const building = builder.query('create index concurrently if not exists things_name on things (name)');
    await waitUntil('the index is begun', async () => (await isValid('things_name')) === false);
    const running = migrate();
    await waitUntil('it waits for the index', () =>
      printed.some(line => line.includes('is building things_name')),
    );
    await holder.query('commit');
    await building;
    await client.query(
      'insert into schema_migrations (name, checksum) values ($1, $2) on conflict do nothing',
      ['0001-index.sql', createHash('sha256').update(buildIndex).digest('hex')],
    );
    expect((await running).at(-1)).toBe('0002-noted.sql');
    expect((await client.query('select * from noted')).rows).toEqual([{ lock_timeout: '300ms' }]);
  });

  test.each([
    'create index concurrently things_name on things (name);',
    'create index concurrently on things (name);',
  ])('is refused where it could not be run again: %s', async statement => {
    const { migrate, write, isValid } = await openFixture();
    write('0001-index.sql', `-- no transaction\n${statement}\n`);
    await expect(migrate()).rejects.toThrow(
      '0001-index.sql: write `create index concurrently if not exists NAME on …`',
    );
    expect(await isValid('things_name')).toBe(null);
  });
});

describe('a lock that is not granted in time', () => {
  test('is retried: the migration blocks the service for its lock timeout only, and prints what it waits for', async () => {
    const { url, printed, migrate, write } = await openFixture();
    write('0001-note.sql', `alter table things add column note text not null default '';\n`);
    const holder = await holdOpen(url);
    const running = migrate();
    const reader = await connect(url);
    let slowestMs = 0;
    await waitUntil('it has tried twice', async () => {
      const startMs = performance.now();
      await reader.query('select name from things where id = 1');
      slowestMs = Math.max(slowestMs, performance.now() - startMs);
      return printed.length >= 2;
    });
    await holder.query('commit');
    expect(await running).toEqual(['0001-note.sql']);
    // Readers did wait behind it, which is what the timeout is for.
    expect(slowestMs).toBeGreaterThan(100);
    expect(slowestMs).toBeLessThan(5_000);
    expect(printed[0]).toMatch(
      /^0001-note.sql did not get its lock: process \d+ \(slow report, idle in transaction, for \d+ s\): update things set name = …\nTrying again in 1 s\.$/,
    );
    expect(printed[1]).toContain('Trying again in 2 s.');
    expect(printed.join('\n')).not.toMatch(/a secret name|id = 7/);
  });

  test('is given up in the end, with nothing applied, and the error says what to do', async () => {
    const { url, client, migrate, write } = await openFixture();
    write('0001-made.sql', 'create table made (id integer);\n');
    write('0002-note.sql', 'create table half (id integer);\nalter table things add column note text;\n');
    const holder = await holdOpen(url);
    await expect(migrate({ retryForMs: 1_500 })).rejects.toThrow(
      /0002-note.sql did not get its lock within 2 s: process \d+ \(slow report[\s\S]+Nothing of it was applied[\s\S]+pg_terminate_backend[\s\S]+run `signpost migrate` again/,
    );
    const { rows } = await client.query(`select to_regclass('made') as made, to_regclass('half') as half`);
    expect(rows).toEqual([{ made: 'made', half: null }]);
    await holder.query('commit');
    expect(await migrate()).toEqual(['0002-note.sql']);
  });
});

test('a second migrator prints that it waits for the first, whose index does not wait for it', async () => {
  const { url, client, printed, migrate, write } = await openFixture();
  write('0001-index.sql', buildIndex);
  const holder = await holdOpen(url);
  const first = migrate();
  await waitUntil('the first builds', async () => (await client.query(migratorBuilds)).rowCount === 1);
  const second = migrate();
  await waitUntil('the second waits', () =>
    printed.some(line => line.includes('Another migration is under way')),
  );
  await holder.query('commit');
  expect([await first, await second]).toEqual([['0001-index.sql'], []]);
  expect(printed.filter(line => line.includes('did not get its lock'))).toEqual([]);
});

test('a migrator that waits for the lock with a snapshot does not block the index for good', async () => {
  const { url, client, migrate, write, isValid } = await openFixture();
  write('0001-index.sql', buildIndex);
  const holder = await holdOpen(url);
  const running = migrate();
  await waitUntil('it builds', async () => (await client.query(migratorBuilds)).rowCount === 1);
  const old = await connect(url);
  // PostgreSQL ends one of the two, which then begins again.
  const waiting = old.query('select pg_advisory_lock(7305101104)').then(
    () => old.end(),
    error => expect(error.code).toBe('40P01'),
  );
  await holder.query('commit');
  await waiting;
  expect(await running).toEqual(['0001-index.sql']);
  expect(await isValid('things_name')).toBe(true);
});

test('a database of an unreleased version is refused, by one sentence that says what to do', async () => {
  const url = await createEmptyDatabase();
  const client = await connect(url);
  await client.query(`create table schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  await client.query(
    `insert into schema_migrations (name, checksum) values ('0001-accounts.sql', 'of a checkout')`,
  );
  await expect(migrate(url)).rejects.toThrow(
    'Another 0001-accounts.sql was applied to this database, by an unreleased version or before the file was changed: use a new database, or put the file back.',
  );
});
