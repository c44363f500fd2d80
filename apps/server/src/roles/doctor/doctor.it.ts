import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase, natsUrl, postgresUrl, redisUrl } from '../../../../../test/support/database.ts';
import { type EngineProxy, startProxy } from '../../../../../test/support/proxy.ts';
import { startReceiver } from '../../../../../test/support/receiver.ts';
import { runCommand, type TestServer } from '../../../../../test/support/server.ts';
import { callerOf } from '../../../../../test/support/webhook-world.ts';
import { createWorld, type World } from '../../../../../test/support/world.ts';
import { startClickHouse } from '../../../../../tools/engines/clickhouse.ts';
import type { Engine } from '../../../../../tools/engines/engine.ts';
import { startNats } from '../../../../../tools/engines/nats.ts';
import { waitUntil } from '../../../../../tools/engines/wait.ts';
import { readConfig } from '../../config.ts';
import { createNats } from '../../platform/nats.ts';
import { ensureStreams } from '../../scans/scan-streams.ts';
import { runDoctor } from './doctor.ts';
import type { Finding } from './finding.ts';

let clickhouse: Engine;
let nats: Engine;
let world: World;
let edge: TestServer;

beforeAll(async () => {
  [clickhouse, nats] = await Promise.all([startClickHouse(), startNats()]);
  world = await createWorld({ CLICKHOUSE_URL: clickhouse.url, NATS_URL: nats.url });
  await runCommand(['migrate'], world.env);
  edge = await world.server({}, 'redirect');
  await world.server({}, 'ingest');
});
afterAll(async () => {
  await world?.close();
  await Promise.all([clickhouse?.remove(), nats?.remove()]);
});

async function diagnose(more: Record<string, string> = {}) {
  let text = '';
  const env = { ...world.env, PUBLIC_URL: edge.url, ...more };
  const good = await runDoctor(
    ['--json'],
    () => readConfig(env),
    line => {
      text += line;
    },
  );
  const findings = JSON.parse(text) as Finding[];
  const of = (check: string) => findings.filter(finding => finding.check === check);
  return { good, findings, of };
}

const problems = (findings: readonly Finding[]) =>
  findings.filter(finding => finding.state === 'problem').map(finding => finding.check);

test('a service that runs has no problem, and everything is named that was looked at', async () => {
  const { good, findings, of } = await diagnose();
  expect(problems(findings)).toEqual([]);
  expect(good).toBe(true);
  for (const [check, words] of [
    ['PostgreSQL', /^PostgreSQL \d+\.\d+$/],
    ['Redis', /^Redis \d/],
    ['NATS', /^NATS 2\.\d+/],
    ['ClickHouse', /^ClickHouse \d\d\./],
    ['migrations', /^up to date$/],
    ['operator', /^not needed: the dashboard is off$/],
    ['strangers', /^sign-up is closed$/],
    ['clock', /PostgreSQL [+−]0\.\d{3} s, Redis [+−]0\.\d{3} s/],
    ['places', /dbip-city-ipv4\.mmdb \(.+, \d+ days old\)/],
    ['spool disk', /MB free/],
    ['spool', /^nothing waits$/],
    ['ingest', /^shard 0: 0 entries behind/],
    ['webhooks', /^no webhook has been made$/],
    ['backup', /^none has been recorded yet/],
    ['reach', /answers$/],
    ['address seen', /^the server sees 127\.0\.0\.1$/],
  ] as const)
    expect(of(check)[0]?.found).toMatch(words);
});

test('every stream of scans is looked at, and one that nobody works on is a finding', async () => {
  const connection = createNats(nats.url);
  onTestFinished(() => connection.close());
  const standing = await connection.whenConnected(AbortSignal.timeout(10_000));
  await ensureStreams(standing, { shards: 3, replicas: 1, maxAgeMs: 3_600_000, maxBytes: 64 * 1024 * 1024 });
  await waitUntil('ingest works on the streams beyond its settings', async () => {
    const found = (await diagnose()).of('ingest').map(({ found }) => found);
    return found.length === 3 && found.every(words => words.includes('0 entries behind'));
  });
  // By a database that no ingest works with, nobody works on any of them.
  const alone = { DATABASE_URL: await createTestDatabase() };
  await waitUntil('all three are found', async () => {
    const found = (await diagnose(alone)).of('ingest');
    return (
      found.length === 3 &&
      found.every(({ state, found: words }) => state === 'warning' && /nobody has worked on it/.test(words))
    );
  });
});

test('engines that are away are each a problem with what to do, and the other checks still run', async () => {
  const { good, findings, of } = await diagnose({
    DATABASE_URL: 'postgres://postgres@127.0.0.1:9/x',
    REDIS_URL: 'redis://127.0.0.1:9',
    NATS_URL: 'nats://127.0.0.1:9',
    CLICKHOUSE_URL: 'http://127.0.0.1:9',
    PUBLIC_URL: 'http://127.0.0.1:9',
  });
  expect(good).toBe(false);
  expect(problems(findings)).toEqual(['PostgreSQL', 'Redis', 'NATS', 'ClickHouse', 'reach']);
  for (const check of ['PostgreSQL', 'Redis', 'NATS', 'ClickHouse'])
    expect(of(check)[0]).toMatchObject({
      found: expect.stringMatching(/not reached: .*(refused|REFUSED)/),
      next: expect.stringMatching(/Start it, or correct [A-Z]+_URL\./),
    });
  for (const check of ['migrations', 'clock', 'ingest', 'webhooks', 'backup', 'address seen'])
    expect(of(check)[0]?.state).toBe('warning');
  expect(of('places')[0]?.state).toBe('ok');
});

/** A real engine behind a proxy that changes a few bytes of what it says, and as many as it takes. */
async function altered(port: number, from: string, to: string): Promise<EngineProxy> {
  const proxy = await startProxy(port);
  onTestFinished(() => proxy.close());
  proxy.onAnswer = data => {
    const at = data.indexOf(from);
    if (at >= 0) data.write(to, at);
    return true;
  };
  return proxy;
}

const behind = (url: string, proxy: EngineProxy) => {
  const changed = new URL(url);
  changed.host = `127.0.0.1:${proxy.port}`;
  return changed.href;
};

test('engines that are too old are each a problem that says which version is needed', async () => {
  const portOf = (url: string) => Number(new URL(url).port);
  const version = async (sql: string) => {
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    const { rows } = await client.query<{ v: string }>(sql);
    await client.end();
    return rows[0]!.v;
  };
  const number = await version(
    `select (v / 10000) || '.' || (v % 10000) as v from (select current_setting('server_version_num')::int as v) s`,
  );
  const { findings, of } = await diagnose({
    DATABASE_URL: behind(
      world.env.DATABASE_URL!,
      await altered(portOf(postgresUrl), number, number.replace(/^../, '14')),
    ),
    REDIS_URL: behind(redisUrl, await altered(portOf(redisUrl), 'redis_version:', 'redis_version:6')),
    NATS_URL: behind(natsUrl, await altered(portOf(natsUrl), '"version":"2', '"version":"1')),
    CLICKHOUSE_URL: behind(clickhouse.url, await altered(clickhouse.port, '"version":"2', '"version":"1')),
  });
  expect(problems(findings)).toEqual(expect.arrayContaining(['PostgreSQL', 'Redis', 'NATS', 'ClickHouse']));
  for (const check of ['PostgreSQL', 'Redis', 'NATS', 'ClickHouse'])
    expect(of(check)[0]?.found).toMatch(/is too old: [\d.]+ or newer is needed/);
});

test('a server that believes whatever address it is told is found out, by the API as by the short links', async () => {
  const api = await world.server({ TRUSTED_PROXIES: '127.0.0.0/8' });
  expect((await diagnose({ PUBLIC_URL: api.url })).of('address seen')[0]).toMatchObject({
    state: 'warning',
    found: expect.stringContaining('made up'),
  });
});

test('a clock that is wrong is found', async () => {
  const { of } = await diagnose({
    REDIS_URL: behind(redisUrl, await altered(Number(new URL(redisUrl).port), '\n17', '\n16')),
  });
  expect(of('clock')[0]).toMatchObject({ state: 'problem', found: expect.stringContaining('clocks differ') });
});

test('pending migrations are a problem, and a database that is ahead is a warning', async () => {
  const name = `doctor_${Date.now().toString(36)}`;
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  onTestFinished(async () => {
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  });
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  expect((await diagnose({ DATABASE_URL: url.href })).of('migrations')[0]).toMatchObject({
    state: 'problem',
    found: expect.stringContaining('0001-accounts.sql'),
    next: expect.stringContaining('signpost migrate'),
  });
  const run = (text: string) => world.db.query({ name: text.slice(0, 20), text });
  await run(`insert into schema_migrations (name, checksum) values ('9999-of-the-future.sql', '')`);
  onTestFinished(() => void run(`delete from schema_migrations where name = '9999-of-the-future.sql'`));
  expect((await diagnose()).of('migrations')[0]).toMatchObject({
    state: 'warning',
    found: expect.stringContaining('9999-of-the-future.sql'),
  });
});

test('a dashboard without an operator is a warning that says how to get one', async () => {
  const withDashboard = { AUTH_SECRET: 'x'.repeat(32) };
  const [before] = (await diagnose(withDashboard)).of('operator');
  expect(before).toMatchObject({
    state: 'warning',
    found: 'there is no operator yet',
    next: expect.stringMatching(/signpost admin create-user EMAIL --operator.*\/app\/first-operator/),
  });
  const made = await runCommand(['admin', 'create-user', 'olga@people.example', '--operator'], world.env);
  expect([made.code, made.output]).toEqual([0, expect.stringContaining('/app/reset-password#token=')]);
  expect((await diagnose(withDashboard)).of('operator')).toEqual([
    { check: 'operator', state: 'ok', found: 'there is one' },
  ]);
});

test('open sign-up without mail, without an abuse contact and without a list are each a warning', async () => {
  const open = { AUTH_SECRET: 'x'.repeat(32), SIGN_UP: 'open' };
  expect((await diagnose(open)).of('strangers')).toMatchObject([
    { state: 'warning', next: expect.stringContaining('SMTP_URL') },
    { state: 'warning', next: expect.stringContaining('ABUSE_CONTACT') },
    { state: 'warning', next: expect.stringContaining('import-list') },
  ]);
  const file = join(mkdtempSync(join(tmpdir(), 'signpost-doctor-list-')), 'hosts');
  writeFileSync(file, 'evil.example\n');
  const args = ['admin', 'import-list', file, '--name', 'mine', '--format', 'hosts', '--expires', '7d'];
  const imported = await runCommand(args, world.env);
  expect([imported.code, imported.output]).toEqual([0, expect.stringContaining('mine is in force')]);
  const ready = { ...open, SMTP_URL: 'smtp://127.0.0.1:9', ABUSE_CONTACT: 'abuse@people.example' };
  expect((await diagnose(ready)).of('strangers')).toEqual([
    {
      check: 'strangers',
      state: 'ok',
      found: 'strangers may sign up, with mail, an abuse contact and a list',
    },
  ]);
});

test('scans that wait on the disk, and a spool that cannot be, are found', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-doctor-'));
  mkdirSync(join(dir, 'gone'));
  writeFileSync(join(dir, 'gone', '1.spool'), Buffer.alloc(2 * 1024 * 1024));
  execFileSync('touch', ['-d', '1 hour ago', join(dir, 'gone', '1.spool')]);
  const { of } = await diagnose({ SPOOL_DIR: dir });
  expect(of('spool')[0]).toMatchObject({
    state: 'warning',
    found: expect.stringMatching(/^2\.0 MB .* 3[56]\d\d s$/),
  });
  const tooLong = await diagnose({ SPOOL_DIR: `/tmp/${'long'.repeat(30)}` });
  expect(tooLong.of('spool disk')[0]).toMatchObject({ state: 'problem' });
});

test('a file of places that is none is a problem', async () => {
  const { of } = await diagnose({ PLACE_FILES: new URL(import.meta.url).pathname });
  expect(of('places')[0]).toMatchObject({ state: 'problem', next: expect.stringContaining('PLACE_FILES') });
});

test('a certificate that phones would refuse is a problem', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-tls-'));
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '30',
      '-subj',
      '/CN=localhost',
    ],
    { stdio: 'pipe' },
  );
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
    response.end(),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { of } = await diagnose({
    SHORT_BASE_URL: `https://localhost:${(server.address() as AddressInfo).port}`,
  });
  expect(of('TLS')[0]).toMatchObject({ state: 'problem', found: expect.stringContaining('phones refuse') });
});

test('as a command it prints a table and ends with 1 on a problem, also where settings are missing', async () => {
  const fine = await runCommand(['doctor'], { ...world.env, PUBLIC_URL: edge.url });
  expect(fine.output).toMatch(/^ok {7}PostgreSQL/m);
  expect(fine).toMatchObject({ code: 0, output: expect.stringMatching(/0 problems, \d+ warnings?\n$/) });
  const { DATABASE_URL: _, ...rest } = world.env;
  const missing = await runCommand(['doctor'], rest);
  expect(missing).toMatchObject({ code: 1, output: expect.stringContaining('DATABASE_URL: is required') });
});

test('webhooks: nobody who delivers, a key that is missing or wrong, and what is overdue are found', async () => {
  const newKey = () => randomBytes(32).toString('base64');
  const env = { WEBHOOK_SECRET_KEYS: newKey(), WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const api = await world.server(env);
  const calls = callerOf(api.url, (await world.account()).live);
  const webhook = await calls.webhook(receiver.url);
  expect((await diagnose(env)).of('webhooks')).toEqual([
    expect.objectContaining({
      state: 'warning',
      found: expect.stringContaining('nobody delivers; 0 messages'),
    }),
  ]);
  expect((await diagnose()).of('webhooks')[0]).toMatchObject({
    state: 'problem',
    found: expect.stringContaining('WEBHOOK_SECRET_KEYS is not set, but there is 1 webhook'),
    next: expect.stringContaining('Set it'),
  });
  expect((await diagnose({ WEBHOOK_SECRET_KEYS: newKey() })).of('webhooks')[0]).toMatchObject({
    state: 'problem',
    found: expect.stringContaining('opens the secret of 1 of 1 webhook'),
  });

  const code = await calls.code();
  expect((await fetch(`${edge.url}/${code.short_code}`, { redirect: 'manual' })).status).toBe(302);
  await calls.post(`/v1/webhooks/${webhook.id}/test`);
  await world.db.query({
    name: 'doctor-overdue',
    text: `update webhook_messages set next_at = now() - interval '1 hour'`,
  });
  const words =
    /^nobody delivers; 1 message in the queue, the oldest for \d+ s; 1 retry due, the oldest for 36\d\d s$/;
  const found = async () => (await diagnose(env)).of('webhooks')[0]!;
  await waitUntil('the message is in the queue', async () => words.test((await found()).found), {
    timeoutMs: 20_000,
  });
  expect(await found()).toMatchObject({
    state: 'problem',
    next: expect.stringContaining('signpost deliver'),
  });

  await world.server(env, 'deliver');
  await waitUntil('both have arrived', () => receiver.arrivals.length === 2);
  await waitUntil('all is well', async () => (await found()).state === 'ok');
  expect((await found()).found).toBe('0 messages in the queue; 0 retries due');
});
