import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@signpost/testing/database.ts';
import { visitorOf } from '@signpost/testing/scans.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import { createPostgres, type Database, type Postgres, sql } from '../platform/postgres.ts';
import { createSalts } from './salts.ts';
import type { Salt } from './visitor.ts';

let databaseUrl: string;
let db: Postgres;

const connect = (url: string) =>
  createPostgres(
    { databaseUrl: url, databasePooler: 'none', databasePoolSize: 10, databaseTimeoutMs: 60_000 },
    () => {},
  );

beforeAll(async () => {
  databaseUrl = await createTestDatabase();
  db = connect(databaseUrl);
});
afterAll(() => db.close());
beforeEach(() => db.query(sql('empty_salts', 'truncate visitor_salts')));

const november = new Date('2026-11-10T12:00:00Z');
const stored = async () =>
  (await db.query<{ window: string }>(sql('all_salts', 'select "window" from visitor_salts order by 1'))).map(
    row => row.window,
  );

/** The bytes of a salt: the outer block of HMAC is the key, each byte XORed with 0x5c. */
const bytesOf = (salt: Salt | null) => Buffer.from(salt!.outer.subarray(0, 32).map(byte => byte ^ 0x5c));

/** A PostgreSQL that can be made unreachable. */
function switchable(): { readonly db: Database; away: boolean } {
  const state = { db: db as Database, away: false };
  const guarded: Database = {
    ...db,
    query: (statement, values) =>
      state.away ? Promise.reject(new AppError('unavailable', 'away')) : db.query(statement, values),
  };
  return Object.assign(state, { db: guarded });
}

describe('salts', () => {
  test('of a window are the same for all processes, also when 50 create them at once', async () => {
    const other = connect(databaseUrl);
    const stores = Array.from({ length: 50 }, (_, i) =>
      createSalts({ db: i % 2 ? db : other, kind: 'month' }),
    );
    await Promise.all(stores.map(salts => salts.prepare(november)));
    await other.close();
    const seen = new Set(stores.map(salts => bytesOf(salts.of('2026-11')).toString('hex')));
    expect(seen.size).toBe(1);
    expect([...seen][0]).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(stores.map(salts => bytesOf(salts.of('2026-12')).toString('hex'))).size).toBe(1);
  });

  test('survive the process: a restart finds the same', async () => {
    const before = createSalts({ db, kind: 'day' });
    await before.prepare(november);
    const after = createSalts({ db, kind: 'day' });
    await after.prepare(new Date(november.getTime() + 3600_000));
    expect(bytesOf(after.of('2026-11-10')).equals(bytesOf(before.of('2026-11-10')))).toBe(true);
    expect(bytesOf(after.of('2026-11-10')).equals(bytesOf(after.of('2026-11-11')))).toBe(false);
  });

  test('are not generated while PostgreSQL is down: they are unknown until it is back', async () => {
    const postgres = switchable();
    const salts = createSalts({ db: postgres.db, kind: 'month' });
    postgres.away = true;
    await expect(salts.prepare(november)).rejects.toThrow(AppError);
    expect(salts.of('2026-11')).toBeNull();
    postgres.away = false;
    await salts.prepare(november);
    expect(salts.of('2026-11')).not.toBeNull();
  });

  test('of the next window exist before it opens, so that PostgreSQL may be down at that moment', async () => {
    const postgres = switchable();
    const salts = createSalts({ db: postgres.db, kind: 'day' });
    await salts.prepare(november);
    await salts.prepare(new Date('2026-11-11T12:00:00Z'));
    expect(salts.of('2026-11-12')).toBeNull();
    await salts.prepare(new Date('2026-11-11T21:40:00Z'));
    postgres.away = true;
    expect(salts.of('2026-11-12')).not.toBeNull();
    await salts.prepare(new Date('2026-11-12T00:00:01Z'));
  });

  test("are destroyed two days after their window has closed by PostgreSQL's clock, there and in memory", async () => {
    const salts = createSalts({ db, kind: 'day' });
    const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    const nameOf = (date: Date) => date.toISOString().slice(0, 10);
    const month = nameOf(dayAgo(0)).slice(0, 7);
    for (const window of ['2020-01', month])
      await db.query(sql('add_salt', 'insert into visitor_salts values ($1, $2, now())'), [
        window,
        randomBytes(32),
      ]);
    await salts.prepare(dayAgo(3));
    await salts.prepare(dayAgo(1));
    const before = await stored();
    const bytes = bytesOf(salts.of(nameOf(dayAgo(3))));
    // Another transaction reads in the meantime, as a backup does: a vacuum would keep deleted rows for it.
    const reader = new pg.Client({ connectionString: databaseUrl });
    await reader.connect();
    await reader.query('begin isolation level repeatable read');
    await reader.query('select count(*) from plans');
    expect(await salts.destroyOld()).toBe(2);
    await reader.end();
    const over = ['2020-01', nameOf(dayAgo(3))];
    expect(await stored()).toEqual(before.filter(window => !over.includes(window)));
    expect(salts.of(nameOf(dayAgo(3)))).toBeNull();
    expect(salts.of(nameOf(dayAgo(1)))).not.toBeNull();
    expect(await salts.destroyOld()).toBe(0);
    await db.query(sql('checkpoint', 'checkpoint'));
    const [file] = await db.query<{ bytes: Buffer }>(
      sql('read_table', `select pg_read_binary_file(pg_relation_filepath('visitor_salts')) as bytes`),
    );
    expect(file!.bytes.includes(bytesOf(salts.of(nameOf(dayAgo(1)))))).toBe(true);
    expect(file!.bytes.includes(bytes)).toBe(false);
  });

  test('are dropped from the memory of a process that does not destroy them itself', async () => {
    const salts = createSalts({ db, kind: 'day' });
    await salts.prepare(november);
    await salts.prepare(new Date('2026-11-12T12:00:00Z'));
    expect(salts.of('2026-11-10')).not.toBeNull();
    await salts.prepare(new Date('2026-11-13T00:00:00Z'));
    expect(salts.of('2026-11-10')).toBeNull();
  });

  test('of two windows give unlinkable visitor ids to the same 10,000 people', async () => {
    const salts = createSalts({ db, kind: 'month' });
    await salts.prepare(november);
    const people = Array.from({ length: 10_000 }, (_, i) => ({
      address: `198.51.${i >> 8}.${i & 255}`,
      agent: randomBytes(8).toString('hex'),
    }));
    const visitorsOf = (window: string) =>
      new Set(people.map(({ address, agent }) => visitorOf(salts.of(window)!, 'account', address, agent)));
    const [inNovember, inDecember] = [visitorsOf('2026-11'), visitorsOf('2026-12')];
    expect(inNovember.size).toBe(10_000);
    expect(inNovember.intersection(inDecember).size).toBe(0);
  });
});
