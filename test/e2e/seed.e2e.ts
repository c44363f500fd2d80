import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ask } from '@signpost/testing/client.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { dashboardEnv } from '@signpost/testing/people.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { createSoloFixture } from '@signpost/testing/solo.ts';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { exampleCodes } from '../../tools/dev/seed/codes.ts';

let fixture: Fixture;
let server: TestServer;

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

async function seedAndLook(rounds: readonly string[]): Promise<void> {
  for (const round of rounds) {
    const { scans, email, password } = await seed();
    expect(scans).toBeGreaterThan(20_000);
    const get = await signIn(email, password);
    expect((await get('/account/me')).account).toMatchObject({ plan: 'business', code_quota: 250 });
    const { data } = await get('/account/qrcodes?limit=100&sort=scans');
    expect([round, data.length]).toEqual([round, exampleCodes.length]);
    expect(data[0].total_scans).toBeGreaterThan(data[0].unique_scans);
    // The busiest code was scanned on each of the last days.
    expect(data[0].sparkline.slice(0, -1).every((one: number) => one > 0)).toBe(true);
    const [row] = await fixture.db.query<{ total: number }>(counted);
    expect(row!.total).toBe(scans);
    const history = await get(`/account/qrcodes/${data[0].id}/history`);
    expect(history.pagination.total).toBeGreaterThan(1);
  }
}

test('npm run seed makes an account with months of scans, counted and stored alike, and starts anew when run again', async () => {
  const [nats, redis] = await Promise.all([startNats(), startRedis()]);
  fixture = await createFixture({
    ...dashboardEnv,
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    CLICKHOUSE_URL: '',
  });
  onTestFinished(async () => {
    await fixture.close();
    for (const engine of [nats, redis]) await engine.remove();
  });
  await runCommand(['migrate'], fixture.env);
  server = await fixture.server({}, 'all');
  await seedAndLook(['first', 'again']);
});

test('npm run seed does the same beside solo, which adopts the scans', async () => {
  const solo = await createSoloFixture(dashboardEnv);
  onTestFinished(() => solo.close());
  fixture = solo.fixture;
  server = await fixture.server({}, 'solo');
  await seedAndLook(['first']);
});
