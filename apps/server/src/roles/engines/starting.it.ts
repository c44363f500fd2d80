import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer as createWebServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inParallel } from '@signpost/testing/client.ts';
import { createTestDatabase, natsUrl, pooledEnv, postgresUrl, redisUrl } from '@signpost/testing/database.ts';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startPgBouncer } from '@signpost/testing/engines/pgbouncer.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { runCommand, TestServer } from '@signpost/testing/server.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runAdmin } from '../../commands/admin.ts';
import { runBackup, runRestore } from '../../commands/backup.ts';
import { runDoctor } from '../../commands/doctor.ts';
import { runExport } from '../../commands/import-export.ts';
import { runMigrate } from '../../commands/migrate.ts';
import { readConfig } from '../../config/config.ts';
import { settings } from '../../config/settings.ts';
import { type EngineName, engineInfo } from '../../kernel/addresses/engine-address.ts';
import { createClickHouse } from '../../platform/clickhouse/clickhouse.ts';
import {
  checkEngineThoroughly,
  pingClickHouse,
  pingNats,
  pingPostgres,
  pingRedis,
} from '../../platform/diagnosis/engine-checks.ts';
import { LinkSnapshot } from '../../redirect/links/link-snapshot.ts';
import { snapshotName } from '../../redirect/links/snapshot-file.ts';
import { identifyInstallation } from '../redirect.ts';

/** The promise: whatever is wrong, the operator knows within this time. */
const promisedMs = 10_000;
const password = 'hunter2';

let env: Record<string, string>;
let clickhouse: Engine;
let plain: Engine;
let guarded: Engine;
let walled: Engine;
let ports: Readonly<Record<string, number>>;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  walled = await startWalled();
  const silent = createServer(socket => socket.on('error', () => undefined));
  const web = createWebServer((_request, response) => response.writeHead(404).end('no such page'));
  const accounts = `accounts {
    poor: { users: [{ user: poor, password: ${password} }] }
    tiny: { jetstream: { max_file: 0 }, users: [{ user: tiny, password: ${password} }] }
  }`;
  [clickhouse, plain, guarded] = await Promise.all([
    startClickHouse(),
    startNats({ jetStream: false }),
    startNats({ config: accounts }),
  ]);
  for (const server of [silent, web]) {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => server.close());
  }
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  ports = {
    nothing: await freePort(),
    silence: portOf(silent),
    'a web server': portOf(web),
    PostgreSQL: Number(new URL(postgresUrl).port || 5432),
    Redis: Number(new URL(redisUrl).port || 6379),
    NATS: Number(new URL(natsUrl).port || 4222),
  };
  env = {
    DATABASE_URL: await createTestDatabase(),
    REDIS_URL: redisUrl,
    NATS_URL: natsUrl,
    CLICKHOUSE_URL: clickhouse.url,
    SPOOL_DIR: mkdtempSync(join(tmpdir(), 'signpost-starting-')),
  };
});
/** A PostgreSQL that lets `walled` in by its password alone. */
async function startWalled(): Promise<Engine> {
  const hba = join(mkdtempSync(join(tmpdir(), 'signpost-hba-')), 'pg_hba.conf');
  writeFileSync(hba, 'host all postgres 127.0.0.1/32 trust\nhost all walled 127.0.0.1/32 scram-sha-256\n');
  execFileSync('chmod', ['-R', 'a+rX', join(hba, '..')]);
  const postgres = await startPostgres({ settings: { hba_file: hba } });
  const admin = new pg.Client(postgres.url);
  await admin.connect();
  await admin.query("create role walled login password 'right'");
  await admin.end();
  return postgres;
}

afterAll(async () => {
  for (const close of closers) await close();
  await Promise.all([clickhouse, plain, guarded, walled].map(engine => engine?.remove()));
});

const addressOf: Readonly<Record<EngineName, (at: string) => string>> = {
  postgres: at => `postgres://postgres:${password}@${at}/postgres`,
  redis: at => `redis://:${password}@${at}/0`,
  nats: at => `nats://signpost:${password}@${at}`,
  clickhouse: at => `http://default:${password}@${at}/default`,
};
const engines = Object.keys(addressOf) as EngineName[];

/** What a start would say of this address. */
async function said(engine: EngineName, address: string) {
  const ask = {
    postgres: pingPostgres,
    redis: pingRedis,
    nats: pingNats,
    clickhouse: async (url: string, ms: number) => {
      const client = await createClickHouse(url);
      await pingClickHouse(client, ms).finally(() => client.close());
    },
  }[engine];
  const startMs = performance.now();
  const fault = await checkEngineThoroughly(engine, address, ask, 2_000);
  expect(performance.now() - startMs).toBeLessThan(promisedMs);
  if (fault) {
    expect(fault.sentence).not.toContain(password);
    expect(fault.sentence).toMatch(new RegExp(`^${engineInfo[engine].setting}: .+\\. [A-Z].+\\.$`));
  }
  return fault;
}

describe('every setting', () => {
  const nonsense = '¿?';
  /** What only the disk, the network or the database can tell, or a mail server; each has a test of its own. */
  const laterTold = ['SPOOL_DIR', 'GEOIP_FILES', 'DEFAULT_PLAN', 'MAIL_FROM'];
  const names = Object.values<{ readonly name: string }>(settings).map(({ name }) => name);

  test.each(names.filter(name => !laterTold.includes(name)))('%s with nonsense is named', name => {
    let words = '';
    try {
      readConfig({ ...env, [name]: nonsense });
    } catch (error) {
      words = String(error);
    }
    expect(words).toMatch(new RegExp(`^ {2}${name}: .+ — .+`, 'm'));
    expect(words).toContain('signpost config');
  });

  test.each(
    Object.values<{ readonly name: string; readonly secret?: true }>(settings)
      .filter(({ secret }) => secret)
      .map(({ name }) => name),
  )('%s_FILE that is not there is named', name => {
    const { [name]: _, ...others } = env;
    expect(() => readConfig({ ...others, [`${name}_FILE`]: '/no/such/file' })).toThrow(
      `${name}: ${name}_FILE names /no/such/file, which cannot be read (ENOENT)`,
    );
  });

  test.each([
    ['DATABASE_URL', `${password}`],
    ['DATABASE_URL', `postgres://signpost:${password}#x@db:5432:5432/signpost`],
    ['DATABASE_URL', `mysql://signpost:${password}@db/signpost`],
    ['REDIS_URL', `http://:${password}@cache:6379`],
    ['REDIS_URL', `redis://:${password}@cache/signpost`],
    ['DATABASE_URL', `postgres://signpost:12/${password}@db/signpost`],
    ['DATABASE_DIRECT_URL', `postgres://signpost:12?${password}@db/signpost`],
    ['REDIS_URL', `redis://signpost:12/${password}@cache`],
    ['NATS_URL', `nats://signpost:12#${password}@bus`],
    ['NATS_URL', `signpost:${password}@bus:4222`],
    ['NATS_URL', `nats://signpost:${password}@bus:4222,${password}`],
    ['CLICKHOUSE_URL', `clickhouse://default:${password}@columns:9000`],
    ['CLICKHOUSE_URL', `chdb:///var/lib/${password}`],
    ['AUTH_SECRET', password],
    ['SMTP_URL', `mail:${password}@host`],
    ['WEBHOOK_SECRET_KEYS', password],
  ])('%s is named without what is secret in it', (name, value) => {
    let words = '';
    try {
      readConfig({ ...env, [name]: value });
    } catch (error) {
      words = String(error);
    }
    expect(words).toContain(`  ${name}: `);
    expect(words).not.toContain(password);
  });

  test('the engine inside the process, which is gone, is refused with what to do', () => {
    expect(() => readConfig({ ...env, CLICKHOUSE_URL: 'chdb:///var/lib/signpost/clickhouse' })).toThrow(
      'CLICKHOUSE_URL: begins with chdb://, an engine that Signpost does not have. Leave it out: scans are stored in PostgreSQL',
    );
  });

  test('NAME_FILE that holds the secret itself does not show it', () => {
    const { DATABASE_URL: _, ...others } = env;
    for (const file of [`postgres://u:${password}@db/x`, password])
      expect(() => readConfig({ ...others, DATABASE_URL_FILE: file })).toThrow(
        'DATABASE_URL: DATABASE_URL_FILE names something, which cannot be read (ENOENT)',
      );
  });

  test.each([
    ['DATABASE_URL', 'postgres://signpost:50%@db/signpost'],
    ['DATABASE_URL', 'postgres://signpost@/signpost?host=/run/postgresql'],
    ['REDIS_URL', 'redis'],
    ['REDIS_URL', ':secret@cache:6379'],
    ['REDIS_URL', '/run/redis.sock?password=secret'],
    ['MAIL_FROM', 'Signpost'],
    ['HOST', 'signpost_1'],
  ])('%s is taken as its driver takes it: %s', (name, value) => {
    expect(() => readConfig({ ...env, [name]: value })).not.toThrow();
  });

  test('that is required and was mistyped is named with what was typed', async () => {
    const { DATABASE_URL, ...others } = env;
    expect(() => readConfig({ ...others, DATABSE_URL: DATABASE_URL })).toThrow(
      'DATABASE_URL: is required; DATABSE_URL is set: is that a typo?',
    );
  });
});

describe.concurrent.each(engines)('an address of %s', engine => {
  test('where nothing listens, or whose host is unknown, is away', async () => {
    const at = `127.0.0.1:${ports.nothing}`;
    const [refused, unknown] = await Promise.all([
      said(engine, addressOf[engine](at)),
      said(engine, addressOf[engine]('nowhere.invalid:1234')),
    ]);
    expect(refused).toMatchObject({
      kind: 'outage',
      finding: `nothing listens at ${at} (connection refused)`,
    });
    expect(unknown).toMatchObject({
      kind: 'outage',
      finding: 'the host name of nowhere.invalid:1234 cannot be resolved',
    });
  });

  test('where a server takes the connection and never answers is away', async () => {
    const fault = await said(engine, addressOf[engine](`127.0.0.1:${ports.silence}`));
    expect(fault).toMatchObject({
      kind: 'outage',
      finding: expect.stringMatching(/does not answer in time$/),
    });
  });

  const own = engineInfo[engine].name;
  const others = ['PostgreSQL', 'Redis', 'NATS', 'a web server'].filter(other => other !== own);
  test.each(others)('where %s answers is wrong', async other => {
    const at = `127.0.0.1:${ports[other]}`;
    const fault = await said(engine, addressOf[engine](at));
    expect(fault).toMatchObject({
      kind: 'misconfiguration',
      finding: `the server at ${at} is ${other}, not ${own}`,
    });
  });
});

describe.concurrent('an engine that refuses', () => {
  test('PostgreSQL: the database, the user and the password', async () => {
    const at = `127.0.0.1:${walled.port}`;
    const expected = [
      [`postgres://postgres@${at}/nodb`, /says: database "nodb" does not exist. Create it \(`createdb/],
      [`postgres://walled:${password}@${at}/postgres`, /password authentication failed for user "walled"/],
      [`postgres://walled@${at}/postgres`, /asks for a password/],
      [`postgres://nobody:${password}@${at}/postgres`, /no pg_hba.conf entry/],
      [`postgres://postgres@${at}/postgres?sslmode=require`, /does not support TLS/],
    ] as const;
    for (const [address, words] of expected) {
      const fault = await said('postgres', address);
      expect(fault?.kind).toBe('misconfiguration');
      expect(fault?.sentence).toMatch(words);
    }
  });

  test('Redis: the password and the database', async () => {
    const at = `127.0.0.1:${ports.Redis}`;
    const user = await said('redis', `redis://nobody:${password}@${at}`);
    expect(user).toMatchObject({
      kind: 'misconfiguration',
      sentence: expect.stringMatching(/says: WRONGPASS/),
    });
    const database = await said('redis', `redis://${at}/9999`);
    expect(database).toMatchObject({ kind: 'misconfiguration', sentence: expect.stringMatching(/DB index/) });
  });

  test('NATS: the password, JetStream, JetStream of the account, and a full account', async () => {
    const at = `127.0.0.1:${guarded.port}`;
    const expected = [
      [`nats://poor:wrong@${at}`, /refuses the user, the password or the token/],
      [plain.url, /runs without JetStream, .* Add `jetstream \{ store_dir: "[^"]+" \}` to nats\.conf/],
      [`nats://poor:${password}@${at}`, /not for the account of this user\. Add `jetstream: enabled`/],
    ] as const;
    for (const [address, words] of expected) {
      const fault = await said('nats', address);
      expect(fault?.kind).toBe('misconfiguration');
      expect(fault?.sentence).toMatch(words);
    }
    const full = await said('nats', `nats://tiny:${password}@${at}`);
    expect(full).toMatchObject({
      kind: 'outage',
      finding: expect.stringMatching(/is full \(0 of 0 bytes\)/),
    });
  });
});

describe.concurrent('a command', () => {
  const failing = async (
    more: Record<string, string>,
    run: (config: ReturnType<typeof readConfig>) => unknown,
  ) => {
    const startMs = performance.now();
    const outcome = await Promise.resolve(run(readConfig({ ...env, ...more }))).then(
      () => 'it did not fail',
      error => String(error.message),
    );
    expect(performance.now() - startMs).toBeLessThan(promisedMs);
    return outcome;
  };
  const quiet = () => undefined;
  const commands: Readonly<Record<string, (config: ReturnType<typeof readConfig>) => Promise<unknown>>> = {
    migrate: config => runMigrate(config, quiet),
    backup: config => runBackup([join(env.SPOOL_DIR!, 'backup')], config, quiet),
    restore: config => runRestore([join(env.SPOOL_DIR!, 'backup')], config, quiet),
    admin: config => runAdmin(['list-accounts'], config, quiet),
  };

  test.each(Object.keys(commands))('%s names the setting where the host swallows everything', async name => {
    const silence = `127.0.0.1:${ports.silence}`;
    const [database, columns] = await Promise.all([
      failing({ DATABASE_URL: `postgres://u:${password}@${silence}/x` }, commands[name]!),
      name === 'admin'
        ? null
        : failing({ CLICKHOUSE_URL: `http://u:${password}@${silence}` }, commands[name]!),
    ]);
    expect(database).toMatch(/^DATABASE_URL: PostgreSQL at [\d.:]+ accepts connections but does not answer/);
    if (columns !== null)
      expect(columns).toMatch(/^CLICKHOUSE_URL: ClickHouse at [\d.:]+ accepts connections/);
  });

  test('of the operator goes on without Redis and NATS, and says so', async () => {
    const lines: string[] = [];
    const away = {
      REDIS_URL: `redis://127.0.0.1:${ports.nothing}`,
      NATS_URL: `nats://127.0.0.1:${ports.silence}`,
    };
    await runAdmin(['list-accounts'], readConfig({ ...env, ...away }), line => lines.push(line));
    expect(lines.join('\n')).toMatch(/without it: REDIS_URL: nothing listens[\s\S]+without it: NATS_URL: /);
  });

  test('by the API names SIGNPOST_URL', async () => {
    const exporting = (at: string) =>
      failing({}, () =>
        runExport([join(env.SPOOL_DIR!, 'export')], { url: `http://${at}`, key: 'sk_live_x' }, quiet),
      );
    const [silent, refused, other] = await Promise.all(
      ['silence', 'nothing', 'a web server'].map(kind => exporting(`127.0.0.1:${ports[kind]}`)),
    );
    expect(silent).toMatch(/^SIGNPOST_URL: \S+ cannot be reached \(timeout\)/);
    expect(refused).toMatch(/^SIGNPOST_URL: \S+ cannot be reached \(ECONNREFUSED\)/);
    expect(other).toMatch(/^SIGNPOST_URL: \S+ is not a Signpost API/);
  });

  test('doctor finds NATS without JetStream, a plan that is not there, and typing errors', async () => {
    let text = '';
    const config = () => readConfig({ ...env, NATS_URL: plain.url, DEFAULT_PLAN: 'golden' });
    const print = (line: string) => {
      text += line;
    };
    expect(await runDoctor([], config, print, [{ given: 'SPOL_DIR', meant: 'SPOOL_DIR' }])).toBe(false);
    expect(text).toMatch(/runs without JetStream[\s\S]+jetstream \{ store_dir/);
    expect(text).toMatch(/DEFAULT_PLAN is golden/);
    expect(text).toMatch(/SPOL_DIR is set, which is not a setting; SPOOL_DIR is not set/);
  });
});

async function timed<Result>(work: () => Promise<Result>): Promise<readonly [Result, number]> {
  const startMs = performance.now();
  return [await work(), performance.now() - startMs];
}

describe('a process', () => {
  const stopped = async (role: string, more: Record<string, string>) => {
    const [api, metrics] = [await freePort(), await freePort()];
    const own = { API_PORT: String(api), REDIRECT_PORT: String(api), METRICS_PORT: String(metrics) };
    const [[{ code, output }, ms], [, bareMs]] = await Promise.all([
      timed(() => runCommand([role], { ...env, ...own, ...more })),
      // A command that asks nobody and loads little: twenty of them stand for what a busy machine adds.
      timed(() => runCommand(['config'], {})),
    ]);
    expect(ms, role).toBeLessThan(promisedMs + 20 * bareMs);
    expect(code).toBe(1);
    expect(output).not.toMatch(/^ +at /m);
    return output;
  };

  test('that cannot do its work ends within 10 s with the setting and the cure', async () => {
    const foreign = { DATABASE_URL: `postgres://u:${password}@127.0.0.1:${ports.Redis}/x` };
    const refusals = [
      [
        'api',
        { DATABASE_URL: 'foo' },
        /DATABASE_URL: is not an address: it does not begin with postgres:\/\//,
      ],
      ['redirect', { NATS_URL: plain.url }, /^NATS_URL: .* without JetStream, .*jetstream \{/m],
      ['all', foreign, /^DATABASE_URL: the server at \S+ is Redis, not PostgreSQL\. Put /m],
      ['redirect', { SPOOL_DIR: '/dev/null/spool' }, /^SPOOL_DIR: .*Name a directory/m],
      ['redirect', { GEOIP_FILES: '/no/such.mmdb' }, /^GEOIP_FILES: .*Name MMDB files/m],
      [
        'ingest',
        { METRICS_PORT: String(ports.silence) },
        /^METRICS_PORT: port \d+ of 127.0.0.1 is in use\./m,
      ],
      ['ingest', { HOST: '192.0.2.1' }, /^HOST: 192\.0\.2\.1 is not an address of this machine/m],
    ] as const;
    await inParallel(refusals.length, 2, async index => {
      const [role, more, words] = refusals[index]!;
      expect(await stopped(role, more)).toMatch(words);
    });
  });

  /** Leaves a snapshot with one link, as a process that served from this database would. */
  async function leaveSnapshot(databaseUrl: string): Promise<string> {
    const dir = mkdtempSync(join(tmpdir(), 'signpost-starting-'));
    const link = { qrCodeId: 'q', accountId: 'a', mode: 'live', status: 'active', suspended: false };
    const entry = ['menu', { ...link, location: 'https://example.com', host: 'example.com' }, Date.now()];
    let changes = 0;
    const snapshot = new LinkSnapshot({
      dir,
      links: {
        entries: () => [entry],
        refresh: async () => undefined,
        get changes() {
          return changes;
        },
      } as never,
      stops: { entries: () => [], changes: 0, version: 0 } as never,
      installation: identifyInstallation({ databaseDirectUrl: databaseUrl }),
      clock: { now: () => new Date() },
      onError: error => {
        throw error;
      },
    });
    changes++;
    await snapshot.stop();
    expect(existsSync(join(dir, snapshotName))).toBe(true);
    return dir;
  }

  const startRedirect = async (more: Record<string, string>) => {
    const edge = await TestServer.start('redirect', { ...env, ...more });
    onTestFinished(async () => void (await edge.end('SIGTERM')));
    return edge;
  };

  test('of redirects that has a snapshot serves from it, whatever is wrong, says so, and tells readyz', async () => {
    const wrong = `postgres://nobody:${password}@127.0.0.1:${ports.PostgreSQL}/nodb`;
    const edge = await startRedirect({
      SPOOL_DIR: await leaveSnapshot(wrong),
      DATABASE_URL: wrong,
      REDIS_URL: `redis://127.0.0.1:${ports['a web server']}`,
      NATS_URL: plain.url,
    });
    const ready = await fetch(edge.readyUrl);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', postgres: 'away', redis: 'away', nats: 'away', scans: 'ok' },
    ]);
    const log = edge.log();
    for (const { setting } of [engineInfo.postgres, engineInfo.nats])
      expect(log).toMatch(new RegExp(`"fault":"${setting}: .*engine not usable: starting without it`));
    expect(log).toMatch(/"fault":"REDIS_URL: .*engine not reached: starting without it/);
    expect(log).not.toContain(password);
  });

  test('of redirects names the setting of the scan log if that is the one that fails', async () => {
    const edge = await startRedirect({ LOG_NATS_URL: 'nats://127.0.0.1:9' });
    const ready = await fetch(edge.readyUrl);
    expect(await ready.json()).toMatchObject({ status: 'ready', nats: 'ok', log_nats: 'away' });
    expect(edge.log()).toMatch(/"fault":"LOG_NATS_URL: .*engine not reached: starting without it/);
  });

  /** Takes connections and never answers. */
  const listenSilently = () =>
    new Promise<number>(resolve => {
      const server = createServer(socket => socket.on('error', () => undefined));
      onTestFinished(() => void server.close());
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });

  test('of redirects that has a snapshot listens within 3 s of its time, beside three silent addresses', async () => {
    const SPOOL_DIR = await leaveSnapshot(env.DATABASE_URL!);
    const silent = await Promise.all([0, 1, 2].map(listenSilently));
    const [, bareMs] = await timed(() => startRedirect({ SPOOL_DIR }));
    const [edge, ms] = await timed(() =>
      startRedirect({ SPOOL_DIR, NATS_URL: silent.map(port => `nats://127.0.0.1:${port}`).join(',') }),
    );
    expect(edge.log()).toMatch(/"fault":"NATS_URL: .*engine not reached: starting without it/);
    expect(ms).toBeLessThan(3_000 + bareMs);
  });

  test('of redirects without a snapshot starts beside a NATS without JetStream where scans were counted before', async () => {
    const DATABASE_URL = await createTestDatabase();
    const db = new pg.Client(DATABASE_URL);
    await db.connect();
    await db.query('insert into scan_logs (shard, number) values (0, 0)');
    await db.end();
    const SPOOL_DIR = mkdtempSync(join(tmpdir(), 'signpost-starting-'));
    const edge = await startRedirect({ DATABASE_URL, SPOOL_DIR, NATS_URL: plain.url });
    expect(edge.log()).toMatch(/"fault":"NATS_URL: .*engine not usable: starting without it/);
  });

  test('of redirects behind a pooler that DATABASE_POOLER does not name starts only with a snapshot, also one from before the pooler', async () => {
    const pooler = await startPgBouncer({ postgresUrl });
    onTestFinished(() => pooler.remove());
    const { DATABASE_POOLER: _, ...pooled } = pooledEnv(env.DATABASE_URL!, pooler.url);
    const empty = mkdtempSync(join(tmpdir(), 'signpost-starting-'));
    expect(await stopped('redirect', { ...pooled, SPOOL_DIR: empty })).toMatch(
      /^DATABASE_URL: there is a pooler .*Set DATABASE_POOLER=transaction/m,
    );
    const edge = await startRedirect({ ...pooled, SPOOL_DIR: await leaveSnapshot(env.DATABASE_URL!) });
    const log = edge.log();
    expect(log).toMatch(/"fault":"DATABASE_URL: there is a pooler .*engine not usable: starting without it/);
    expect(log).toContain('snapshot of links read');
  });

  const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find(
    path =>
      existsSync(path) && Number(execFileSync(path, ['-p', 'process.versions.node.split(".")[0]'])) < 24,
  );
  test.skipIf(oldNode === undefined)('of an old Node says which version is needed', () => {
    const entry = new URL('../../../signpost.js', import.meta.url).pathname;
    const run = () => execFileSync(oldNode!, [entry, 'help'], { encoding: 'utf8', stdio: 'pipe' });
    expect(run).toThrow(/Signpost needs Node 24 or newer, and this is Node \d+\.\S+ \(\S+\)\. Install/);
    expect(execFileSync(process.execPath, [entry, 'help'], { encoding: 'utf8' })).toContain('signpost all');
  });
});
