import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyDatabase, createTestDatabase, natsUrl, redisUrl } from '@signpost/testing/database.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runDoctor } from '../commands/doctor.ts';
import { readConfig } from '../config/config.ts';
import { findTypos } from '../config/typos.ts';
import { addressHeader } from '../http/connections/client-address-header.ts';
import type { Finding } from './finding.ts';

const nowhere = 'http://127.0.0.1:9';
let healthy: Record<string, string>;
/** Migrated, with scans that were counted from NATS. */
let counted: string;
let empty: string;
let unreleased: string;
let emptyNats: Engine;
const file = join(mkdtempSync(join(tmpdir(), 'signpost-broken-')), 'a-file');

/** Reports the address of the client by the first entry of X-Forwarded-For, as a server behind a careless proxy does. */
const trusting = createServer((request, response) => {
  const [forged = ''] = String(request.headers['x-forwarded-for']).split(',');
  response.writeHead(200, { [addressHeader]: forged }).end();
});

async function run(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

beforeAll(async () => {
  const migrated = await createTestDatabase();
  [counted, empty, unreleased] = [
    await createTestDatabase(),
    await createEmptyDatabase(),
    await createEmptyDatabase(),
  ];
  await run(counted, `insert into ingest_positions (shard, position) values (0, 12)`);
  await run(
    unreleased,
    `create table schema_migrations (name text, checksum text, applied_at timestamptz default now());
     insert into schema_migrations (name, checksum) values ('0001-accounts.sql', 'of a checkout')`,
  );
  emptyNats = await startNats();
  await new Promise<void>(resolve => trusting.listen(0, '127.0.0.1', resolve));
  writeFileSync(file, '');
  healthy = {
    DATABASE_URL: migrated,
    REDIS_URL: redisUrl,
    NATS_URL: natsUrl,
    CLICKHOUSE_URL: nowhere,
    AUTH_SECRET: 'x'.repeat(32),
    SPOOL_DIR: mkdtempSync(join(tmpdir(), 'signpost-broken-')),
  };
});
afterAll(async () => {
  trusting.close();
  await emptyNats.remove();
});

type Broken = {
  readonly env: () => Record<string, string>;
  readonly check: string;
  readonly found: RegExp;
  readonly next: RegExp;
};

const outside = { PUBLIC_URL: 'https://qr.example.com', HOST: '0.0.0.0' };

const installations: Readonly<Record<string, Broken>> = {
  'PostgreSQL is down': {
    env: () => ({ DATABASE_URL: 'postgres://127.0.0.1:9/signpost' }),
    check: 'PostgreSQL',
    found: /cannot be reached/,
    next: /start|running/i,
  },
  'Redis is down': {
    env: () => ({ REDIS_URL: 'redis://127.0.0.1:9' }),
    check: 'Redis',
    found: /cannot be reached/,
    next: /start|running/i,
  },
  'the database is empty': {
    env: () => ({ DATABASE_URL: empty }),
    check: 'migrations',
    found: /pending: 0001-accounts\.sql/,
    next: /signpost migrate/,
  },
  'the database is of an unreleased checkout': {
    env: () => ({ DATABASE_URL: unreleased }),
    check: 'migrations',
    found: /by an unreleased version/,
    next: /version that belongs to this database/,
  },
  'NATS came back empty': {
    env: () => ({ DATABASE_URL: counted, NATS_URL: emptyNats.url }),
    check: 'ingest',
    found: /has counted scans, but its NATS has no scan log/,
    next: /store_dir.*log-replaced/,
  },
  'TRUSTED_PROXIES is misspelt': {
    env: () => ({ TRUSTED_PROXY: '10.0.0.1' }),
    check: 'settings',
    found: /TRUSTED_PROXY is set, which is not a setting; TRUSTED_PROXIES is not set/,
    next: /rename it/,
  },
  'every address is trusted': {
    env: () => ({ TRUSTED_PROXIES: '0.0.0.0/0' }),
    check: 'settings',
    found: /TRUSTED_PROXIES trusts every address/,
    next: /only the addresses of your proxies/,
  },
  'a proxy is in front and not trusted': {
    env: () => ({ PUBLIC_URL: 'https://qr.example.com', HOST: '127.0.0.1' }),
    check: 'settings',
    found: /all scanners count as one visitor/,
    next: /TRUSTED_PROXIES/,
  },
  'a forged X-Forwarded-For is believed': {
    env: () => ({ PUBLIC_URL: `http://127.0.0.1:${(trusting.address() as AddressInfo).port}` }),
    check: 'address seen',
    found: /trusted a spoofed X-Forwarded-For/,
    next: /TRUSTED_PROXIES/,
  },
  'AUTH_SECRET is empty': {
    env: () => ({ AUTH_SECRET: '' }),
    check: 'settings',
    found: /AUTH_SECRET is empty: the dashboard is off/,
    next: /openssl rand/,
  },
  'there is no operator': {
    env: () => ({}),
    check: 'operator',
    found: /no operator yet/,
    next: /create-user EMAIL --operator/,
  },
  'the private port is the public one': {
    env: () => ({ METRICS_PORT: '8080' }),
    check: 'settings',
    found: /METRICS_PORT is also the port/,
    next: /separate port/,
  },
  'short links lead to this machine': {
    env: () => ({}),
    check: 'settings',
    found: /printed codes work only on this machine/,
    next: /PUBLIC_URL or SHORT_BASE_URL/,
  },
  'short links are not encrypted': {
    env: () => ({ ...outside, SHORT_BASE_URL: 'http://go.example.com' }),
    check: 'settings',
    found: /uses http/,
    next: /https/,
  },
  'SPOOL_DIR cannot be written': {
    env: () => ({ SPOOL_DIR: '/proc/spool' }),
    check: 'spool disk',
    found: /cannot be written/,
    next: /its owner|another directory/,
  },
  'SPOOL_DIR is a file': {
    env: () => ({ SPOOL_DIR: file }),
    check: 'spool disk',
    found: /cannot be written/,
    next: /its owner|another directory/,
  },
  'the spool is small': {
    env: () => ({ SPOOL_MAX_MB: '4' }),
    check: 'spool disk',
    found: /may use 4 MB/,
    next: /SPOOL_MAX_MB to 16/,
  },
  'the place file is none': {
    env: () => ({ GEOIP_FILES: file }),
    check: 'geoip',
    found: /./,
    next: /GEOIP_FILES/,
  },
  'new accounts get a plan that does not exist': {
    env: () => ({ DEFAULT_PLAN: 'gold' }),
    check: 'plan',
    found: /DEFAULT_PLAN is gold, which is not a plan/,
    next: /Set it to one of/,
  },
  'anybody can sign up with any address': {
    env: () => ({ SIGN_UP: 'open' }),
    check: 'sign-up',
    found: /open without mail/,
    next: /SMTP_URL/,
  },
  'mail has no sender': {
    env: () => ({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Signpost' }),
    check: 'settings',
    found: /MAIL_FROM has no e-mail address/,
    next: /Name <name@example\.com>/,
  },
};

test.each(Object.entries(installations))(
  'doctor names the fault and its remedy: %s',
  async (_name, { env, check, found, next }) => {
    const settings = { ...healthy, ...env() };
    let report = '';
    await runDoctor(
      ['--json'],
      () => readConfig(settings),
      line => {
        report += line;
      },
      findTypos(settings),
    );
    const findings = (JSON.parse(report) as Finding[]).filter(
      finding => finding.check === check && finding.state !== 'ok',
    );
    expect(findings).toContainEqual(
      expect.objectContaining({ found: expect.stringMatching(found), next: expect.stringMatching(next) }),
    );
  },
);
