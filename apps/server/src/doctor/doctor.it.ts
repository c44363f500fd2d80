import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, natsUrl, postgresUrl, redisUrl } from '@signpost/testing/database.ts';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { mmdbFile } from '@signpost/testing/mmdb.ts';
import { type EngineProxy, startProxy } from '@signpost/testing/proxy.ts';
import { startReceiver } from '@signpost/testing/receiver.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { callerOf } from '@signpost/testing/webhook-fixture.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runDoctor } from '../commands/doctor.ts';
import { readConfig } from '../config/config.ts';
import { formatId } from '../kernel/ids.ts';
import { createNats } from '../platform/nats/nats.ts';
import { sql } from '../platform/postgres/postgres.ts';
import { ensureStreams } from '../scans/log/streams.ts';
import type { Finding } from './finding.ts';

let clickhouse: Engine;
let nats: Engine;
let fixture: Fixture;
let edge: TestServer;

beforeAll(async () => {
  [clickhouse, nats] = await Promise.all([startClickHouse(), startNats()]);
  fixture = await createFixture({ CLICKHOUSE_URL: clickhouse.url, NATS_URL: nats.url });
  await runCommand(['migrate'], fixture.env);
  edge = await fixture.server({}, 'redirect');
  await fixture.server({}, 'ingest');
});
afterAll(async () => {
  await fixture?.close();
  await Promise.all([clickhouse?.remove(), nats?.remove()]);
});

async function diagnose(more: Record<string, string> = {}) {
  let text = '';
  const env = { ...fixture.env, PUBLIC_URL: edge.url, ...more };
  const isHealthy = await runDoctor(
    ['--json'],
    () => readConfig(env),
    line => {
      text += line;
    },
  );
  const findings = JSON.parse(text) as Finding[];
  const findingsOf = (check: string) => findings.filter(finding => finding.check === check);
  return { isHealthy, findings, findingsOf };
}

const problems = (findings: readonly Finding[]) =>
  findings.filter(finding => finding.state === 'problem').map(finding => finding.check);

test('a running service has no problem, and the report names every check', async () => {
  const { isHealthy, findings, findingsOf } = await diagnose();
  expect(problems(findings)).toEqual([]);
  expect(isHealthy).toBe(true);
  for (const [check, expected] of [
    ['PostgreSQL', /^PostgreSQL \d+\.\d+$/],
    ['Redis', /^(?:Redis|Valkey) \d/],
    ['NATS', /^NATS 2\.\d+/],
    ['ClickHouse', /^ClickHouse \d\d\./],
    ['migrations', /^up to date$/],
    ['scans', /^they are in ClickHouse$/],
    ['operator', /^not needed: the dashboard is off$/],
    ['sign-up', /^sign-up is closed$/],
    ['operator keys', /^there is no operator key$/],
    ['mail', /^not needed: the dashboard is off$/],
    ['clock', /PostgreSQL [+−]0\.\d{3} s, Redis [+−]0\.\d{3} s/],
    ['geoip', /dbip-city-ipv4\.mmdb \(.+, \d+ days old\)/],
    ['rules', /^no rule names a region or a city$/],
    ['spool disk', /MB free/],
    ['spool', /^no scans are waiting$/],
    ['ingest', /^shard 0: 0 entries behind/],
    ['audit log', /^events are kept for 400 days$/],
    ['webhooks', /^there are no webhooks$/],
    ['domains', /^none was added$/],
    ['backup', /^none has been recorded yet/],
    ['reach', /answers$/],
    ['address seen', /^the server sees 127\.0\.0\.1$/],
  ] as const)
    expect(findingsOf(check)[0]?.found).toMatch(expected);
});

test('every shard of the scan log is checked, and one without an ingest is a finding', async () => {
  const connection = createNats(nats.url);
  onTestFinished(() => connection.close());
  const connected = await connection.whenConnected(AbortSignal.timeout(10_000));
  await ensureStreams(connected, { shards: 3, replicas: 1, maxAgeMs: 3_600_000, maxBytes: 64 * 1024 * 1024 });
  await waitUntil('ingest reads the shards beyond its settings', async () => {
    const found = (await diagnose()).findingsOf('ingest').map(({ found }) => found);
    return found.length === 3 && found.every(text => text.includes('0 entries behind'));
  });
  // On a database without an ingest, no shard has one.
  const withoutIngest = { DATABASE_URL: await createTestDatabase() };
  await waitUntil('all three are found', async () => {
    const found = (await diagnose(withoutIngest)).findingsOf('ingest');
    return (
      found.length === 3 &&
      found.every(({ state, found: text }) => state === 'warning' && /no ingest has been running/.test(text))
    );
  });
});

function placeFile(builtAt: Date): string {
  const file = join(mkdtempSync(join(tmpdir(), 'signpost-places-')), 'places.mmdb');
  writeFileSync(file, mmdbFile({ '192.0.2.0/24': { country_code: 'DE' } }, builtAt));
  return file;
}

test('each engine that is down is a problem with what to do, and the other checks still run', async () => {
  const { isHealthy, findings, findingsOf } = await diagnose({
    DATABASE_URL: 'postgres://postgres@127.0.0.1:9/x',
    REDIS_URL: 'redis://127.0.0.1:9',
    NATS_URL: 'nats://127.0.0.1:9',
    CLICKHOUSE_URL: 'http://127.0.0.1:9',
    PUBLIC_URL: 'http://127.0.0.1:9',
    GEOIP_FILES: placeFile(new Date()),
  });
  expect(isHealthy).toBe(false);
  expect(problems(findings)).toEqual(['PostgreSQL', 'Redis', 'NATS', 'ClickHouse', 'reach']);
  for (const check of ['PostgreSQL', 'Redis', 'NATS', 'ClickHouse'])
    expect(findingsOf(check)[0]).toMatchObject({
      found: expect.stringMatching(/cannot be reached: .*(refused|REFUSED)/),
      next: expect.stringMatching(/Start it, or correct [A-Z]+_URL\./),
    });
  for (const check of ['migrations', 'clock', 'ingest', 'webhooks', 'backup', 'address seen'])
    expect(findingsOf(check)[0]?.state).toBe('warning');
  expect(findingsOf('geoip')[0]?.state).toBe('ok');
});

test('a scan log in a NATS of its own is checked there, and named by its setting', async () => {
  const { findingsOf } = await diagnose({ LOG_NATS_URL: 'nats://127.0.0.1:9' });
  expect(findingsOf('NATS')).toMatchObject([
    { state: expect.stringMatching(/ok|warning/), found: expect.stringMatching(/^NATS \d/) },
    {
      state: 'problem',
      found: expect.stringMatching(/^NATS of LOG_NATS_URL cannot be reached: .*(refused|REFUSED)/),
      next: expect.stringMatching(/Start it, or correct LOG_NATS_URL\./),
    },
  ]);
  expect(findingsOf('ingest')).toMatchObject([{ state: 'warning' }]);
});

/** A real engine behind a proxy that replaces some bytes of its responses with as many others. */
async function altered(port: number, texts: Readonly<Record<string, string>>): Promise<EngineProxy> {
  const proxy = await startProxy(port);
  onTestFinished(() => proxy.close());
  proxy.onAnswer = data => {
    for (const [from, to] of Object.entries(texts)) {
      const at = data.indexOf(from);
      if (at >= 0) data.write(to, at);
    }
    return true;
  };
  return proxy;
}

const behind = (url: string, proxy: EngineProxy) => {
  const changed = new URL(url);
  changed.host = `127.0.0.1:${proxy.port}`;
  return changed.href;
};

test('each engine that is too old is a problem that says which version is needed', async () => {
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
  const { findings, findingsOf } = await diagnose({
    DATABASE_URL: behind(
      fixture.env.DATABASE_URL!,
      await altered(portOf(postgresUrl), { [number]: number.replace(/^../, '14') }),
    ),
    REDIS_URL: behind(
      redisUrl,
      await altered(portOf(redisUrl), {
        'redis_version:': 'redis_version:6',
        'valkey_version:': 'valkey_version:6',
      }),
    ),
    NATS_URL: behind(natsUrl, await altered(portOf(natsUrl), { '"version":"2': '"version":"1' })),
    CLICKHOUSE_URL: behind(
      clickhouse.url,
      await altered(clickhouse.port, { '"version":"2': '"version":"1' }),
    ),
  });
  expect(problems(findings)).toEqual(expect.arrayContaining(['PostgreSQL', 'Redis', 'NATS', 'ClickHouse']));
  for (const check of ['PostgreSQL', 'Redis', 'NATS', 'ClickHouse'])
    expect(findingsOf(check)[0]?.found).toMatch(/is too old: [\d.]+ or newer is needed/);
});

test('a server that trusts a spoofed address is found, through the API as through the short links', async () => {
  const api = await fixture.server({ TRUSTED_PROXIES: '127.0.0.0/8' });
  expect((await diagnose({ PUBLIC_URL: api.url })).findingsOf('address seen')[0]).toMatchObject({
    state: 'warning',
    found: expect.stringContaining('spoofed'),
  });
});

test('a wrong clock is found', async () => {
  const { findingsOf } = await diagnose({
    REDIS_URL: behind(redisUrl, await altered(Number(new URL(redisUrl).port), { '\n17': '\n16' })),
  });
  expect(findingsOf('clock')[0]).toMatchObject({
    state: 'problem',
    found: expect.stringContaining('clocks differ'),
  });
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
  expect((await diagnose({ DATABASE_URL: url.href })).findingsOf('migrations')[0]).toMatchObject({
    state: 'problem',
    found: expect.stringContaining('0001-accounts.sql'),
    next: expect.stringContaining('signpost migrate'),
  });
  const run = (text: string) => fixture.db.query({ name: text.slice(0, 20), text });
  await run(`insert into schema_migrations (name, checksum) values ('9999-of-the-future.sql', '')`);
  onTestFinished(() => void run(`delete from schema_migrations where name = '9999-of-the-future.sql'`));
  expect((await diagnose()).findingsOf('migrations')[0]).toMatchObject({
    state: 'warning',
    found: expect.stringContaining('9999-of-the-future.sql'),
  });
});

test('a dashboard without an operator is a warning that says how to get one', async () => {
  const withDashboard = { AUTH_SECRET: 'x'.repeat(32) };
  const [before] = (await diagnose(withDashboard)).findingsOf('operator');
  expect(before).toMatchObject({
    state: 'warning',
    found: 'there is no operator yet',
    next: expect.stringMatching(/signpost admin create-user EMAIL --operator.*\/app\/first-operator/),
  });
  const made = await runCommand(['admin', 'create-user', 'olga@people.example', '--operator'], fixture.env);
  expect([made.code, made.output]).toEqual([0, expect.stringContaining('/app/reset-password#token=')]);
  expect((await diagnose(withDashboard)).findingsOf('operator')).toEqual([
    { check: 'operator', state: 'ok', found: 'there is one' },
  ]);
});

test('operator keys that never expire or soon do, and events that should be gone, are warnings', async () => {
  const { id } = await fixture.account();
  const account = formatId('acct', id as never);
  const create = (...more: string[]) =>
    runCommand(['admin', 'create-key', '--operator', account, ...more], fixture.env);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  expect((await create('--expires', inDays(60))).code).toBe(0);
  expect((await diagnose()).findingsOf('operator keys')).toMatchObject([
    { state: 'ok', found: 'operator keys: 1, and each of them expires' },
  ]);
  await create();
  await create('--expires', inDays(5));
  expect((await diagnose()).findingsOf('operator keys')).toMatchObject([
    { state: 'warning', found: expect.stringMatching(/^operator keys that never expire: key_\w+$/) },
    { state: 'warning', found: expect.stringMatching(/^operator keys that expire within 14 days: key_\w+$/) },
  ]);
  const old = sql(
    'test-old-event',
    `insert into audit_events (account_id, mode, number, at, action, actor_kind, subjects, detail)
     values ($1, 'live', 1, now() - interval '9 days', 'createKey', 'operator', '{}', '{}')`,
  );
  await fixture.db.query(old, [id]);
  expect((await diagnose({ AUDIT_DAYS: '9' })).findingsOf('audit log')[0]!.state).toBe('ok');
  expect((await diagnose({ AUDIT_DAYS: '7' })).findingsOf('audit log')).toMatchObject([
    { state: 'warning', next: expect.stringContaining('AUDIT_DAYS') },
  ]);
});

test('open sign-up without mail, without an abuse contact and without a list are each a warning', async () => {
  const open = { AUTH_SECRET: 'x'.repeat(32), SIGN_UP: 'open' };
  expect((await diagnose(open)).findingsOf('sign-up')).toMatchObject([
    { state: 'warning', next: expect.stringContaining('SMTP_URL') },
    { state: 'warning', next: expect.stringContaining('ABUSE_CONTACT') },
    { state: 'warning', next: expect.stringContaining('import-list') },
  ]);
  const file = join(mkdtempSync(join(tmpdir(), 'signpost-doctor-list-')), 'hosts');
  writeFileSync(file, 'evil.example\n');
  const args = ['admin', 'import-list', file, '--name', 'mine', '--format', 'hosts', '--expires', '7d'];
  const imported = await runCommand(args, fixture.env);
  expect([imported.code, imported.output]).toEqual([0, expect.stringContaining('mine is in force')]);
  const ready = { ...open, SMTP_URL: 'smtp://127.0.0.1:9', ABUSE_CONTACT: 'abuse@people.example' };
  expect((await diagnose(ready)).findingsOf('sign-up')).toEqual([
    {
      check: 'sign-up',
      state: 'ok',
      found: 'sign-up is open, with mail, an abuse contact and a list',
    },
  ]);
});

test('scans that wait on the disk, and an impossible SPOOL_DIR, are found', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-doctor-'));
  mkdirSync(join(dir, 'gone'));
  writeFileSync(join(dir, 'gone', '1.spool'), Buffer.alloc(2 * 1024 * 1024));
  execFileSync('touch', ['-d', '1 hour ago', join(dir, 'gone', '1.spool')]);
  const { findingsOf } = await diagnose({ SPOOL_DIR: dir });
  expect(findingsOf('spool')[0]).toMatchObject({
    state: 'warning',
    found: expect.stringMatching(/^2\.0 MB .* 3[56]\d\d s$/),
  });
  const tooLong = await diagnose({ SPOOL_DIR: `/tmp/${'long'.repeat(30)}` });
  expect(tooLong.findingsOf('spool disk')[0]).toMatchObject({ state: 'problem' });
});

test('a GeoIP file is fine for 180 days, and a warning from then on', async () => {
  const stateAt = async (days: number) => {
    const builtAt = new Date(Date.now() - days * 86_400_000);
    return (await diagnose({ GEOIP_FILES: placeFile(builtAt) })).findingsOf('geoip')[0]?.state;
  };
  expect([await stateAt(179), await stateAt(182)]).toEqual(['ok', 'warning']);
});

test('a GeoIP file that cannot be read is a problem', async () => {
  const { findingsOf } = await diagnose({ GEOIP_FILES: new URL(import.meta.url).pathname });
  expect(findingsOf('geoip')[0]).toMatchObject({
    state: 'problem',
    next: expect.stringContaining('GEOIP_FILES'),
  });
});

test('names in rules that are in no place file are a warning, with a code that has them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-places-'));
  const fileOf = (city: string) => {
    const file = join(folder, `${city}.mmdb`);
    writeFileSync(file, mmdbFile({ '192.0.2.0/24': { country_code: 'DE', state1: 'Bavaria', city } }));
    return file;
  };
  const [file, renamed] = [fileOf('Munich'), fileOf('Muenchen')];
  const calls = callerOf((await fixture.server()).url, (await fixture.account()).live);
  const rules = [
    { when: { city: [{ country: 'DE', city: 'Munich' }] }, to: [{ url: 'https://x.example/' }] },
  ];
  const code = await calls.code();
  expect((await calls.patch(`/v1/qrcodes/${code.id}`, { rules })).status).toBe(200);
  onTestFinished(async () => {
    await calls.delete(`/v1/qrcodes/${code.id}`);
  });
  expect((await diagnose({ GEOIP_FILES: file })).findingsOf('rules')).toEqual([
    {
      check: 'rules',
      state: 'ok',
      found: 'rules have 1 name of a region or a city, all of them in the place files',
    },
  ]);
  expect((await diagnose({ GEOIP_FILES: renamed })).findingsOf('rules')).toEqual([
    {
      check: 'rules',
      state: 'warning',
      found: `rules have 1 name of a region or a city, of which 1 is in no place file, so that no scan meets them: the city Munich in DE (${code.id})`,
      next: expect.stringContaining('names that scans show'),
    },
  ]);
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
  const { findingsOf } = await diagnose({
    SHORT_BASE_URL: `https://localhost:${(server.address() as AddressInfo).port}`,
  });
  expect(findingsOf('TLS')[0]).toMatchObject({
    state: 'problem',
    found: expect.stringContaining('phones refuse'),
  });
});

test('the command prints a table and exits with 1 on a problem, also where settings are missing', async () => {
  const fine = await runCommand(['doctor'], { ...fixture.env, PUBLIC_URL: edge.url });
  expect(fine.output).toMatch(/^ok {7}PostgreSQL/m);
  expect(fine).toMatchObject({ code: 0, output: expect.stringMatching(/0 problems, \d+ warnings?\n$/) });
  const { DATABASE_URL: _, ...rest } = fixture.env;
  const missing = await runCommand(['doctor'], rest);
  expect(missing).toMatchObject({ code: 1, output: expect.stringContaining('DATABASE_URL: is required') });
});

test('webhooks: no running deliver, a missing or wrong key, and overdue messages are found', async () => {
  const newKey = () => randomBytes(32).toString('base64');
  const env = { WEBHOOK_SECRET_KEYS: newKey(), WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const api = await fixture.server(env);
  const calls = callerOf(api.url, (await fixture.account()).live);
  const webhook = await calls.webhook(receiver.url);
  expect((await diagnose(env)).findingsOf('webhooks')).toEqual([
    expect.objectContaining({
      state: 'warning',
      found: expect.stringContaining('no deliver is running; 0 messages'),
    }),
  ]);
  expect((await diagnose()).findingsOf('webhooks')[0]).toMatchObject({
    state: 'problem',
    found: expect.stringContaining('WEBHOOK_SECRET_KEYS is not set, but there is 1 webhook'),
    next: expect.stringContaining('Set it'),
  });
  expect((await diagnose({ WEBHOOK_SECRET_KEYS: newKey() })).findingsOf('webhooks')[0]).toMatchObject({
    state: 'problem',
    found: expect.stringContaining('decrypts the secret of 1 of 1 webhook'),
  });

  const code = await calls.code();
  expect((await fetch(`${edge.url}/${code.short_code}`, { redirect: 'manual' })).status).toBe(302);
  await calls.post(`/v1/webhooks/${webhook.id}/test`);
  await fixture.db.query({
    name: 'doctor-overdue',
    text: `update webhook_messages set next_at = now() - interval '1 hour'`,
  });
  const expected =
    /^no deliver is running; 1 message in the queue, the oldest for \d+ s; 1 retry due, the oldest for 36\d\d s$/;
  const found = async () => (await diagnose(env)).findingsOf('webhooks')[0]!;
  await waitUntil('the message is in the queue', async () => expected.test((await found()).found), {
    timeoutMs: 20_000,
  });
  expect(await found()).toMatchObject({
    state: 'problem',
    next: expect.stringContaining('signpost deliver'),
  });

  await fixture.server(env, 'deliver');
  await waitUntil('both have arrived', () => receiver.arrivals.length === 2);
  await waitUntil('all is well', async () => (await found()).state === 'ok');
  expect((await found()).found).toBe('0 messages in the queue; 0 retries due');
});
