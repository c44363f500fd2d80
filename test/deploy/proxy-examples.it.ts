import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { addMonthsOfScans } from '@signpost/testing/months-of-scans.ts';
import {
  type Browser,
  createBrowser,
  dashboardEnv,
  goodPassword,
  newEmail,
} from '@signpost/testing/people.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parseId } from '../../apps/server/src/kernel/ids.ts';
import { type Answer, type Client, openHttp1, openHttp2, openHttp3, phone } from './proxies/clients.ts';
import { hosts, type RunningProxy, startCaddyTo, startNginxTo } from './proxies/proxies.ts';

/** What each proxy speaks by its example. */
const examples = [
  { name: 'Caddy', start: startCaddyTo, versions: { 1.1: openHttp1, 2: openHttp2, 3: openHttp3 } },
  { name: 'nginx', start: startNginxTo, versions: { 1.1: openHttp1, 2: openHttp2 } },
];

describe.each(examples)('the example of $name', ({ start }) => {
  test('reuses its connections to Signpost, and passes on the host and the client address', async () => {
    const scans = 20;
    const seen = { addresses: new Set<string>(), hosts: new Set<string>(), connections: 0 };
    const signpost = createServer((incoming, response) => {
      seen.addresses.add(String(incoming.headers['x-forwarded-for']));
      seen.hosts.add(String(incoming.headers.host));
      response.writeHead(302, { location: 'https://example.com/' }).end();
    }).on('connection', () => seen.connections++);
    await new Promise<void>(resolve => signpost.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void signpost.close());
    const proxy = await start((signpost.address() as AddressInfo).port);
    onTestFinished(() => proxy.close());
    const client = await openHttp1(proxy);
    // Each by a new phone, on its own connection.
    for (let scan = 0; scan < scans; scan++)
      expect(await statusOf(client.ask({ host: hosts.links, path: '/menu' }))).toBe(302);
    expect(seen).toMatchObject({ addresses: new Set(['127.0.0.1']), hosts: new Set([hosts.links]) });
    expect(seen.connections).toBeLessThan(scans / 4);
  });
});

/** A process, many scans and Chromium take a while on a busy machine. */
const hookTimeoutMs = 600_000;

describe('Signpost behind', () => {
  const exported = ciScale(100_000, 5_000);
  let fixture: Fixture;
  let server: TestServer;
  let csv: { readonly path: string; readonly key: string; readonly hash: string };

  beforeAll(async () => {
    fixture = await createFixture({
      ...dashboardEnv,
      PUBLIC_URL: `https://${hosts.api}`,
      SHORT_BASE_URL: `https://${hosts.links}`,
      TRUSTED_PROXIES: '127.0.0.1',
      REDIS_URL: '',
      NATS_URL: '',
      WEBHOOK_SECRET_KEYS: Buffer.alloc(32, 'k').toString('base64'),
    });
    server = await fixture.server({}, 'solo');
    csv = await addExport();
  }, hookTimeoutMs);
  afterAll(() => fixture?.close());

  /** An account with many scans, and its export as Signpost itself sends it. */
  async function addExport() {
    const { id: accountId, live: key } = await fixture.account();
    const body = { name: 'Busy', destination_url: 'https://example.com' };
    const made = await ask({ method: 'POST', url: `${server.url}/v1/qrcodes`, key, body });
    await addMonthsOfScans(fixture.db, [{ id: parseId('qr', made.body.id)!, accountId }], exported);
    const period = 'start_date=2026-08-01&end_date=2026-10-31';
    const path = `/v1/qrcodes/${made.body.id}/analytics/export?${period}&format=csv`;
    const { body: text } = await ask({ url: server.url + path, key });
    expect(text.trimEnd().split('\n')).toHaveLength(exported + 1);
    return { path, key, hash: createHash('sha256').update(text).digest('hex') };
  }

  describe.each(examples)('$name', ({ start, versions }) => {
    let proxy: RunningProxy;
    let owner: Browser;
    beforeAll(async () => {
      proxy = await start(Number(new URL(server.url).port));
      owner = await signUpThrough(await openHttp1(proxy));
    });
    afterAll(() => proxy?.close());

    describe.each(Object.entries(versions))('HTTP/%s', (version, open) => {
      let client: Client;
      let menu: { readonly id: string; readonly short_code: string };
      /** Of the owner's dashboard. */
      let cookie: string;
      beforeAll(async () => {
        client = await open(proxy);
        const body = { name: 'Menu', destination_url: 'https://example.com/' };
        menu = (await owner.call({ method: 'POST', url: '/account/v1/qrcodes', body })).body;
        cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      }, hookTimeoutMs);
      afterAll(() => client?.close());

      const scan = (forged: string, from: string, host: string = hosts.links) => {
        const headers = { 'x-forwarded-for': forged, 'user-agent': phone(`over HTTP/${version}`) };
        return statusOf(client.ask({ host, path: `/${menu.short_code}`, headers, from }));
      };

      test('shows each scan live at once, and a forged X-Forwarded-For makes no new visitor', async () => {
        const path = `/account/live?qr_id=${menu.id}`;
        const live = await client.ask({ host: hosts.api, path, headers: { cookie } });
        expect(live.status).toBe(200);
        let text = '';
        live.body.on('data', part => {
          text += part;
        });
        onTestFinished(() => void live.body.destroy());
        const shown = () =>
          [...text.matchAll(/^event: scan\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
        await waitUntil('the stream is ready', () => text.includes('event: ready'));
        for (const [index, address] of client.addresses.entries()) {
          for (const [again, forged] of ['198.51.100.7', '203.0.113.9, 127.0.0.1'].entries()) {
            expect(await scan(forged, address)).toBe(302);
            const count = 2 * index + again + 1;
            await waitUntil('the scan is shown', () => shown().length === count, { timeoutMs: 30_000 });
            expect(shown().at(-1)).toMatchObject({ is_unique: again === 0 });
          }
        }
        expect(live.body.readableEnded).toBe(false);
      });

      test('sends an export whole', async () => {
        const headers = { authorization: `Bearer ${csv.key}` };
        const { status, body } = await client.ask({ host: hosts.api, path: csv.path, headers });
        expect(status).toBe(200);
        const hash = createHash('sha256');
        for await (const part of body) hash.update(part);
        expect(hash.digest('hex')).toBe(csv.hash);
      });

      // A browser writes every host in lower case itself.
      test('knows its hosts in capitals', { skip: version === '3' }, async () => {
        const capitals = { api: hosts.api.toUpperCase(), links: hosts.links.toUpperCase() };
        expect(await scan('198.51.100.7', '127.0.0.9', capitals.links)).toBe(302);
        const { path, headers } = { path: '/account/me', headers: { cookie } };
        expect(await statusOf(client.ask({ host: capitals.api, path, headers }))).toBe(200);
      });

      // After the live view, which would show these scans too.
      test('redirects the link of a compact code, whose host and path are in upper case', async () => {
        for (const path of [
          `/${menu.short_code}`.toUpperCase(),
          `/${menu.short_code}.window`.toUpperCase(),
        ]) {
          const headers = { 'user-agent': phone(`compact over HTTP/${version}`) };
          // Browsers send the host in lower case, however the link spells it; others may not.
          for (const host of [hosts.links, ...(version === '1.1' ? [hosts.links.toUpperCase()] : [])])
            expect(await statusOf(client.ask({ host, path, headers, from: '127.0.0.1' }))).toBe(302);
        }
      });
    });
  });
});

async function statusOf(answer: Promise<Answer>): Promise<number> {
  const { status, body } = await answer;
  body.resume();
  return status;
}

/** A new owner, whose browser reaches Signpost by this client. */
async function signUpThrough(client: Client): Promise<Browser> {
  const owner = createBrowser({
    config: { publicUrl: `https://${hosts.api}` },
    async call({
      url,
      method,
      headers,
      body,
    }: {
      url: string;
      method: string;
      headers: Record<string, string>;
      body: unknown;
    }) {
      const answer = await client.ask({
        host: hosts.api,
        path: url,
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = Buffer.concat(await answer.body.toArray()).toString();
      return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
    },
  } as unknown as Parameters<typeof createBrowser>[0]);
  const person = { name: 'Somebody', email: newEmail(), password: goodPassword };
  const signedUp = await owner.call({ method: 'POST', url: '/auth/sign-up', body: person });
  expect(signedUp).toMatchObject({ status: 201 });
  return owner;
}
