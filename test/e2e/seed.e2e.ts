import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '@signpost/testing/client.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { dashboardEnv } from '@signpost/testing/people.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../apps/server/src/platform/postgres.ts';
import { exampleCodes } from '../../tools/dev/seed/codes.ts';

let engines: { nats: Engine; redis: Engine };
let fixture: Fixture;
let server: TestServer;

beforeAll(async () => {
  const [nats, redis] = await Promise.all([startNats(), startRedis()]);
  engines = { nats, redis };
  const dir = mkdtempSync(join(tmpdir(), 'signpost-seed-'));
  fixture = await createFixture({
    ...dashboardEnv,
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    CLICKHOUSE_URL: `chdb://${dir}/data`,
  });
  await runCommand(['migrate'], fixture.env);
  server = await fixture.server({}, 'all');
});
afterAll(async () => {
  await fixture?.close();
  for (const engine of Object.values(engines ?? {})) await engine.remove();
});

async function seed(): Promise<{ scans: number; email: string; password: string }> {
  const child = spawn(process.execPath, [new URL('../../tools/dev/seed.ts', import.meta.url).pathname], {
    env: { PATH: process.env.PATH, ...fixture.env },
  });
  let output = '';
  child.stdout.on('data', data => (output += data));
  child.stderr.on('data', data => (output += data));
  const [code] = (await once(child, 'close')) as [number];
  expect([code, output]).toEqual([0, expect.stringContaining('password')]);
  const found = (pattern: RegExp) => pattern.exec(output)![1]!;
  return {
    scans: Number(found(/([\d,]+) scans/).replaceAll(',', '')),
    email: found(/e-mail +(\S+)/),
    password: found(/password +(\S+)/),
  };
}

async function signIn(email: string, password: string) {
  const headers = { origin: server.url };
  const body = { email, password };
  const reply = await ask({ method: 'POST', url: `${server.url}/auth/sign-in`, body, headers });
  expect(reply.status).toBe(200);
  const cookie = String(reply.headers['set-cookie']).split(';')[0]!;
  return async (path: string) => (await ask({ url: `${server.url}${path}`, headers: { cookie } })).body;
}

const counted = sql(
  'seed-counted',
  `select sum(s.total_scans)::bigint as total from scan_counts s join qr_codes c on c.id = s.qr_code_id and c.status <> 'deleted'`,
);

test('npm run seed makes an account with months of scans, counted and stored alike, and starts anew when run again', async () => {
  for (const round of ['first', 'again']) {
    const { scans, email, password } = await seed();
    expect(scans).toBeGreaterThan(20_000);
    const get = await signIn(email, password);
    expect((await get('/account/me')).account).toMatchObject({ plan: 'business', code_quota: 250 });
    const { data } = await get('/account/qrcodes?limit=100&sort=scans');
    expect([round, data.length]).toEqual([round, exampleCodes.length]);
    expect(data[0].total_scans).toBeGreaterThan(data[0].unique_scans);
    // The busiest code was scanned on each of the last days, as PostgreSQL and ClickHouse both say.
    expect(data[0].sparkline.slice(0, -1).every((one: number) => one > 0)).toBe(true);
    const [row] = await fixture.db.query<{ total: number }>(counted);
    expect(row!.total).toBe(scans);
    const history = await get(`/account/qrcodes/${data[0].id}/history`);
    expect(history.pagination.total).toBeGreaterThan(1);
  }
});
