import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestAccount } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { type EngineProxy, startProxy } from '@signpost/testing/proxy.ts';
import { TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDomains } from './domains/changes.ts';

const changes = ciScale(1000, 120);
/** A redirect without a lease looks up at most five codes at once for a client, where they probably do not exist. */
const lanes = 4;
const hosts = Array.from({ length: lanes }, (_, lane) => `go${lane}.brand.example`);

let engines: { nats: Engine; redis: Engine; postgres: Engine };
/** Between one redirect and what tells it of changes. */
let proxies: EngineProxy[];
let fixture: Fixture;
let opened: Awaited<ReturnType<typeof openDomains>>;
let redirects: TestServer[];
let brand: TestAccount;

beforeAll(async () => {
  const [nats, redis, postgres] = await Promise.all([startNats(), startRedis(), startPostgres()]);
  engines = { nats, redis, postgres };
  const urls = { NATS_URL: nats.url, REDIS_URL: redis.url };
  const more = { SHORT_BASE_URL: 'https://sign.service.example', UNKNOWN_CODES_PER_MINUTE: '100000000' };
  fixture = await createFixture({ ...urls, ...more }, postgres.url);
  const [toNats, toRedis] = [await startProxy(nats.port), await startProxy(redis.port)];
  proxies = [toNats, toRedis];
  const cutOff = {
    ...fixture.env,
    NATS_URL: `nats://127.0.0.1:${toNats.port}`,
    REDIS_URL: `redis://127.0.0.1:${toRedis.port}`,
  };
  redirects = await Promise.all(
    [fixture.env, cutOff, fixture.env].map(env =>
      TestServer.start('redirect', { ...env, SPOOL_DIR: mkdtempSync(join(tmpdir(), 'signpost-spool-')) }),
    ),
  );
  opened = await openDomains(fixture);
  brand = await fixture.account('business');
  const api = await fixture.server();
  for (const host of hosts) {
    await opened.domains.add(fixture.db, host, brand.id);
    const body = { name: 'Menu', destination_url: leads(host), short_code: 'menu', domain: host };
    const { status } = await ask({ method: 'POST', url: `${api.url}/v1/qrcodes`, key: brand.live, body });
    expect(status).toBe(201);
  }
});
afterAll(async () => {
  await opened?.close();
  for (const redirect of redirects ?? []) await redirect.end('SIGKILL');
  await fixture?.close();
  for (const proxy of proxies ?? []) proxy.close();
  await Promise.all(Object.values(engines ?? {}).map(engine => engine.remove()));
});

const leads = (host: string) => `https://menu.example/${host}`;

/** What a host answers to its root, to its code and to a link that does not exist. */
type Domain = { isActive: boolean; root: string | null; notFound: string | null };

const expected = (host: string, { isActive, root, notFound }: Domain) =>
  isActive ? [root ?? 404, leads(host), notFound ?? 404] : [404, 404, 404];

async function answers(redirect: TestServer, host: string) {
  const found = ['/', '/menu', '/nobody'].map(async path => {
    const { status, headers } = await ask({ url: `${redirect.url}${path}`, headers: { host } });
    return status === 302 ? headers.location : status;
  });
  return Promise.all(found);
}

test('changes of domains, each followed at once by requests to three redirects, one of which receives none and one of which is killed: none is stale', async () => {
  const state = new Map<string, Domain>(
    hosts.map(host => [host, { isActive: true, root: null, notFound: null }]),
  );
  const counts = { changes: 0, answers: 0, stale: 0, unanswered: 0 };
  const { domains } = opened;
  const allowed = async () => {};

  /** The number of the change decides what is changed. */
  async function change(host: string, n: number): Promise<void> {
    const domain = state.get(host)!;
    const url = n % 20 === 0 ? null : `https://brand.example/${n}`;
    if (!domain.isActive) {
      await domains.add(fixture.db, host, brand.id);
      domain.isActive = true;
    } else if (n % 4 === 0) {
      await domains.release(fixture.db, host, true);
      domain.isActive = false;
    } else if (n % 4 === 1) {
      await domains.set(fixture.db, host, { isDefault: true }, allowed);
    } else if (n % 4 === 2) {
      await domains.set(fixture.db, host, { rootUrl: url }, allowed);
      domain.root = url;
    } else {
      await domains.set(fixture.db, host, { notFoundUrl: url }, allowed);
      domain.notFound = url;
    }
  }

  async function lane(first: number): Promise<void> {
    const host = hosts[first]!;
    for (let n = first; n < changes; n += lanes) {
      await change(host, Math.floor(n / lanes) + first);
      const number = ++counts.changes;
      await Promise.all(
        redirects.map(async redirect => {
          const found = await answers(redirect, host).catch(() => null);
          if (found === null) {
            counts.unanswered++;
            return;
          }
          counts.answers += found.length;
          const wanted = expected(host, state.get(host)!);
          const stale = found.filter((one, i) => one !== wanted[i]);
          if (stale.length > 0)
            console.log(`stale on redirect ${redirects.indexOf(redirect)}:`, found, wanted);
          counts.stale += stale.length;
        }),
      );
      await meddle(number);
    }
  }

  /** One redirect hears of nothing for most of the time; another is killed, and comes back. */
  async function meddle(number: number): Promise<void> {
    if (number === Math.round(changes / 5)) for (const proxy of proxies) proxy.silent = true;
    if (number === Math.round((2 * changes) / 5)) await redirects[2]!.end('SIGKILL');
    if (number === Math.round((3 * changes) / 5)) await redirects[2]!.start();
    if (number === Math.round((4 * changes) / 5))
      for (const proxy of proxies) {
        proxy.silent = false;
        proxy.cut();
      }
  }

  await Promise.all(hosts.map((_, number) => lane(number)));
  console.log(
    `domains changes ${counts.changes} answers ${counts.answers} unanswered ${counts.unanswered} stale ${counts.stale}`,
  );
  expect(counts.changes).toBe(changes);
  expect(counts.unanswered).toBeGreaterThan(0);
  expect(counts.stale).toBe(0);
  const defaults = (await domains.list(fixture.db, brand.id)).filter(({ isDefault }) => isDefault);
  expect(defaults.length).toBeLessThanOrEqual(1);

  // What was known last is on disk when a process ends in peace, so one that starts without PostgreSQL serves every domain.
  const [redirect] = redirects as [TestServer];
  await redirect.end('SIGTERM');
  await engines.postgres.stop('immediate');
  await redirect.start();
  for (const host of hosts) {
    const { isActive, root } = state.get(host)!;
    const [first, second] = await answers(redirect, host);
    expect([first, second], host).toEqual(isActive ? [root ?? 404, leads(host)] : [404, 404]);
  }
});
