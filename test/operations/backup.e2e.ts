import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '@signpost/testing/client.ts';
import { createEmptyDatabase } from '@signpost/testing/database.ts';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { countedIn, storedIn } from '@signpost/testing/scan-ledger.ts';
import { runCommand, TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastBackup } from '../../apps/server/src/backup/record.ts';
import { parseId } from '../../apps/server/src/kernel/ids.ts';
import { createClickHouse } from '../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { createPostgres, sql } from '../../apps/server/src/platform/postgres/postgres.ts';

const newDir = () => mkdtempSync(join(tmpdir(), 'signpost-backup-'));

const sum = (tally: Record<string, { total: number }>) =>
  Object.values(tally).reduce((total, one) => total + one.total, 0);

/** What both stores hold, which must be the same. */
async function look(env: Record<string, string>) {
  const db = databaseOf(env);
  const clickhouse = await createClickHouse(env.CLICKHOUSE_URL!);
  const [counted, stored] = [await countedIn(db), await storedIn(clickhouse)];
  await Promise.all([db.close(), clickhouse.close()]);
  return { counted, stored, total: sum(counted) };
}

const databaseOf = ({ DATABASE_URL: databaseUrl }: Record<string, string>) =>
  createPostgres(
    { databaseUrl: databaseUrl!, databasePooler: 'none', databasePoolSize: 1, databaseTimeoutMs: 10_000 },
    () => undefined,
  );

/** A link to set a password, and a token that makes the first operator. */
async function leaveLinks(env: Record<string, string>): Promise<void> {
  await runCommand(['admin', 'create-user', 'link@people.example'], env);
  const db = databaseOf(env);
  await db.query(
    sql('leave-token', `insert into operator_tokens (hash, seen_at) values (sha256('token'), now())`),
  );
  await db.close();
  expect(await linksIn(env)).toBeGreaterThanOrEqual(2);
}

async function linksIn(env: Record<string, string>): Promise<number> {
  const db = databaseOf(env);
  const [row] = await db.query<{ count: number }>(
    sql(
      'links-left',
      'select (select count(*) from email_tokens) + (select count(*) from operator_tokens) as count',
    ),
  );
  await db.close();
  return row!.count;
}

/** The moment of the newest backup that the database knows of. */
async function lastOf(env: Record<string, string>): Promise<{ takenAt: string | null }> {
  const db = databaseOf(env);
  const last = await lastBackup(db);
  await db.close();
  return { takenAt: last.kind === 'none' ? null : last.finishedAt.toISOString() };
}

/** Waits until so many are counted, and stored too: that comes a moment later. */
async function settled(env: Record<string, string>, total: number) {
  let last = await look(env);
  await waitUntil(`${total} are counted and stored`, async () => {
    last = await look(env);
    return last.total === total && sum(last.stored.tally) >= total;
  });
  return last;
}

describe('a backup taken under load', () => {
  let engines: Engine[];
  let fixture: Fixture;
  let servers: { api: TestServer; edge: TestServer; ingest: TestServer };
  let accepted = 0;
  let acceptedAtBackup = 0;
  let codes: { id: string; short_code: string }[];
  const dir = join(newDir(), 'backup');
  let key: string;

  async function scanOn(url: string, count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const headers = {
        'user-agent': `Mozilla/5.0 (iPhone; CPU iPhone OS 18_${n % 9} like Mac OS X) Safari`,
      };
      const { status } = await ask({ url: `${url}/${codes[n % codes.length]!.short_code}`, headers });
      if (status === 302) accepted++;
    }
  }

  beforeAll(async () => {
    const [nats, redis, clickhouse] = await Promise.all([startNats(), startRedis(), startClickHouse()]);
    engines = [nats, redis, clickhouse];
    fixture = await createFixture({
      NATS_URL: nats.url,
      REDIS_URL: redis.url,
      CLICKHOUSE_URL: clickhouse.url,
    });
    await runCommand(['migrate'], fixture.env);
    const [api, edge, ingest] = await Promise.all([
      fixture.server(),
      fixture.server({}, 'redirect'),
      fixture.server({}, 'ingest'),
    ]);
    servers = { api, edge, ingest };
    ({ live: key } = await fixture.account());
    codes = [];
    for (let n = 0; n < 5; n++) {
      const body = { name: `Code ${n}`, destination_url: 'https://example.com' };
      codes.push((await ask({ method: 'POST', url: `${api.url}/v1/qrcodes`, key, body })).body);
    }
    let loading = true;
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (loading) await scanOn(edge.url, 20);
      }),
    );
    await waitUntil('some are counted', async () => (await look(fixture.env)).total > 200);
    await leaveLinks(fixture.env);
    const before = accepted;
    const taken = await runCommand(['backup', dir], fixture.env);
    expect(taken).toMatchObject({ code: 0, output: expect.stringMatching(/5 codes, \d+ scans counted/) });
    acceptedAtBackup = Number(/(\d+) scans counted/.exec(taken.output)![1]);
    expect(acceptedAtBackup).toBeGreaterThan(0);
    expect(acceptedAtBackup).toBeLessThanOrEqual(accepted);
    await waitUntil('more scans after the backup', () => accepted > before + 200);
    loading = false;
    await load;
    await settled(fixture.env, accepted);
    await Promise.all(Object.values(servers).map(server => server.end('SIGTERM')));
  });
  afterAll(async () => {
    await fixture?.close();
    for (const engine of engines ?? []) await engine.remove();
  });

  async function restored(more: Record<string, string> = {}) {
    const clickhouse = await startClickHouse();
    engines.push(clickhouse);
    const env = {
      ...fixture.env,
      DATABASE_URL: await createEmptyDatabase(),
      CLICKHOUSE_URL: clickhouse.url,
      ...more,
    };
    const result = await runCommand(['restore', dir], env);
    expect(result).toMatchObject({ code: 0 });
    const state = await look(env);
    expect(state.total).toBe(acceptedAtBackup);
    expect(await linksIn(env)).toBe(0);
    expect(await lastOf(env)).toEqual({
      takenAt: JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')).takenAt,
    });
    expect(state.stored).toEqual({ tally: state.counted, duplicates: 0, faults: [] });
    return { env, output: result.output };
  }

  test('restored beside the log that lived on, it has what was counted then, and ingest adds the rest once', async () => {
    const { env, output } = await restored();
    expect(output).toContain('whether it is the same log or another');
    expect(output).not.toContain('were corrected from their scans');
    const ingest = await TestServer.start('ingest', env);
    const { counted, stored } = await settled(env, accepted);
    expect(stored).toEqual({ tally: counted, duplicates: 0, faults: [] });
    expect(counted).toEqual((await look(fixture.env)).counted);
    await ingest.end('SIGTERM');
  });

  test('restored without the log, it has what was counted then, and counts what comes by the new log', async () => {
    const nats = await startNats();
    engines.push(nats);
    const { env } = await restored({ NATS_URL: nats.url });
    const [api, edge, ingest] = await Promise.all(
      ['api', 'redirect', 'ingest'].map(role => TestServer.start(role, env)),
    );
    const before = accepted;
    await scanOn(edge!.url, 50);
    expect(accepted - before).toBe(50);
    const { counted, stored } = await settled(env, acceptedAtBackup + 50);
    // A new salt makes new visitors: what is unique is unique once in both stores all the same.
    expect(stored.tally).toEqual(counted);
    expect(stored.duplicates).toBe(0);
    const { body } = await ask({ url: `${api!.url}/v1/qrcodes/${codes[0]!.id}`, key });
    expect(body.total_scans).toBe(counted[parseId('qr', codes[0]!.id)!]!.total);
    await Promise.all([api, edge, ingest].map(server => server!.end('SIGTERM')));
  });

  test('with NATS alone lost, ingest goes on with the new log by itself', async () => {
    const { env } = await restored();
    const nats = await startNats();
    engines.push(nats);
    const moved = { ...env, NATS_URL: nats.url };
    const edge = await TestServer.start('redirect', moved);
    await scanOn(edge.url, 30);
    const ingest = await TestServer.start('ingest', moved);
    const { counted, stored } = await settled(moved, acceptedAtBackup + 30);
    expect([stored.tally, stored.duplicates]).toEqual([counted, 0]);
    const { output } = await runCommand(['doctor', '--json'], moved);
    expect(output).toContain('the scan log was replaced by another');
    await Promise.all([edge.end('SIGTERM'), ingest.end('SIGTERM')]);
  });

  test('is not restored over what is there, nor when it is damaged or unfinished', async () => {
    const full = await runCommand(['restore', dir], fixture.env);
    expect(full).toMatchObject({ code: 1, output: expect.stringContaining('not empty') });
    expect(await runCommand(['restore', newDir()], fixture.env)).toMatchObject({
      code: 1,
      output: expect.stringContaining('no manifest.json'),
    });
    const again = await runCommand(['backup', dir], fixture.env);
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining('is not empty') });
    const { files } = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as {
      files: { name: string }[];
    };
    for (const { name } of files) expect(statSync(join(dir, name)).mode & 0o077).toBe(0);
    const file = join(dir, files.at(-1)!.name);
    const good = readFileSync(file);
    writeFileSync(file, good.subarray(0, -1));
    const damaged = await runCommand(['restore', dir], {
      ...fixture.env,
      DATABASE_URL: await createEmptyDatabase(),
    });
    expect(damaged).toMatchObject({ code: 1, output: expect.stringContaining('damaged') });
    writeFileSync(file, good);
  });

  test('holds no salt, so that it cannot be used to work visitors out, unless it is told to', async () => {
    const saltsIn = (from: string) =>
      execFileSync(
        'pg_restore',
        ['--data-only', '--table=visitor_salts', '--file=-', join(from, 'postgres.dump')],
        {
          encoding: 'utf8',
        },
      );
    expect(saltsIn(dir)).not.toContain('COPY');
    const whole = join(newDir(), 'whole');
    expect(await runCommand(['backup', whole, '--with-salts'], fixture.env)).toMatchObject({ code: 0 });
    expect(saltsIn(whole)).toContain('COPY');
  });
});

test('an installation without ClickHouse is backed up and restored the same way', async () => {
  const dir = newDir();
  const [nats, redis] = await Promise.all([startNats(), startRedis()]);
  const urls = { NATS_URL: nats.url, REDIS_URL: redis.url, SPOOL_DIR: join(dir, 'spool') };
  const fixture = await createFixture({ ...urls, CLICKHOUSE_URL: '' });
  await runCommand(['migrate'], fixture.env);
  const all = await fixture.server({}, 'all');
  const { live: key } = await fixture.account();
  const body = { name: 'x', destination_url: 'https://example.com' };
  const made = await ask({ method: 'POST', url: `${all.url}/v1/qrcodes`, key, body });
  for (let n = 0; n < 10; n++) await ask({ url: `${all.url}/${made.body.short_code}` });
  await waitUntil('all are stored', async () =>
    /signpost_ingest_scans_stored_total\{.*\} 10$/m.test(await (await fetch(all.metricsUrl)).text()),
  );
  await all.end('SIGTERM');
  expect(await runCommand(['backup', join(dir, 'backup')], fixture.env)).toMatchObject({
    code: 0,
    output: expect.stringContaining('1 codes, 10 scans counted.'),
  });
  expect(readdirSync(join(dir, 'backup')).toSorted()).toEqual(['manifest.json', 'postgres.dump']);
  const env = { ...fixture.env, DATABASE_URL: await createEmptyDatabase() };
  expect(await runCommand(['restore', join(dir, 'backup')], env)).toMatchObject({
    code: 0,
    output: expect.stringContaining('1 codes, 10 scans counted, 10 rows'),
  });
  await fixture.close();
  await Promise.all([nats.remove(), redis.remove()]);
});
