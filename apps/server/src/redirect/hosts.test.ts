import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { someLink } from '@signpost/testing/links.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { presentError } from '../http/errors.ts';
import { createClientAddress } from '../kernel/addresses/client-address.ts';
import { parseHostHeader } from '../kernel/addresses/hosts.ts';
import { systemClock } from '../kernel/clock.ts';
import { createRequestIds } from '../kernel/request-ids.ts';
import { createSlidingWindows } from '../limits/sliding-windows.ts';
import type { StoredDomain } from './changes/stops/stop.ts';
import { createRedirectHandler } from './handler.ts';
import { createHosts } from './hosts.ts';
import { createStops, type Stops } from './links/stops.ts';
import { createPages } from './pages.ts';
import { createResponseTimes } from './response-times.ts';

const brand: StoredDomain = {
  account: 'a',
  space: 'd/bcdfghjk/',
  active: true,
  root: null,
  notFound: null,
};
const links: Readonly<Record<string, string>> = {
  menu: 'https://service.example/menu',
  't/bcdfghjk/menu': 'https://service.example/test',
  'd/bcdfghjk/menu': 'https://brand.example/menu',
  'd/bcdfghjk/away': 'https://brand.example/away',
};
const find = (key: string) => {
  const location = links[key];
  return location ? { link: someLink({ location, accountId: 'a' }) } : 'none';
};
const pages = createPages((error, id) => presentError(error, id, 'https://sign.example'));

let stops: Stops;
let unknownHosts: 'default' | 'refuse';
/** What was noted as a host that nobody has. */
let asked: (string | undefined)[];
let catchUp: () => Promise<void>;
let isLeased: boolean;
let previewed: string[];
/** Runs while a link is looked up that memory does not have. */
let duringLookup: () => void;
let server: ReturnType<typeof createServer>;

beforeEach(() => {
  stops = createStops(async () => ({ version: 0, isComplete: true, changes: [] }));
  unknownHosts = 'default';
  asked = [];
  catchUp = async () => undefined;
  isLeased = true;
  previewed = [];
  duringLookup = () => {};
});

let n = 0;
const setDomain = (host: string, domain: StoredDomain) =>
  stops.apply([{ subject: `domain/${host}`, reason: null, n: ++n, domain }]);

async function listen(): Promise<number> {
  const handler = createRedirectHandler({
    links: {
      getCached: (key: string) => (key.endsWith('/away') || key.endsWith('/gone') ? undefined : find(key)),
      async lookUp(key: string) {
        await nextTurn();
        duringLookup();
        return find(key);
      },
    } as never,
    stops,
    hosts: createHosts({
      own: ['https://sign.example', 'https://api.example:8443', 'old.example'],
      domains: stops.domains,
      trust: { isGood: () => isLeased, epoch: 1 },
      catchUp: () => catchUp(),
    }),
    unknownHosts,
    onUnknownHost: header => asked.push(header),
    staleLinks: 'serve',
    recorder: {
      record: () => false,
      createScanner: () => expect.unreachable(),
      recordRouted: () => expect.unreachable(),
    },
    clock: systemClock,
    clientAddress: createClientAddress([]),
    unknownCodes: createSlidingWindows({ windowMs: 60_000, maxKeys: 10 }),
    unknownCodesPerMinute: 1_000_000,
    previews: {
      take: () => true,
      lookUp: async () => ({ hosts: ['brand.example'], hasMore: false, updatedOn: '2026-11-19' }),
      present(_preview, link) {
        previewed.push(link);
        return { headers: {}, body: '' };
      },
    },
    onPage: () => {},
    onNotRedirected: () => {},
    onError: error => expect.unreachable(String(error)),
    times: createResponseTimes([200, 302, 421, ...Object.values(pages).map(page => page.status)]),
    pages,
    nextRequestId: createRequestIds(systemClock),
  });
  server = createServer({ requireHostHeader: false }, (incoming, response) =>
    handler(
      incoming,
      response,
      /^\/(app|v1|healthz)/.test(incoming.url!) ? (_, own) => own.end('app') : undefined,
    ),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

type Answer = { readonly status: number; readonly location: string | undefined; readonly text: string };

function ask(port: number, host: string | null, path = '/menu'): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const outgoing = request({ port, path, setHost: false, headers: host === null ? {} : { host } });
  outgoing.on('error', reject).on('response', async response => {
    const text = Buffer.concat(await response.toArray()).toString();
    resolve({ status: response.statusCode!, location: response.headers.location, text });
  });
  outgoing.end();
  return promise;
}

test.each([
  ['go.brand.example', 'go.brand.example'],
  ['GO.Brand.Example:8443', 'go.brand.example'],
  ['go.brand.example.', 'go.brand.example'],
  ['go.brand.example.:443', 'go.brand.example'],
  ['[2001:DB8::1]:8080', '[2001:db8::1]'],
  ['10.0.0.1:80', '10.0.0.1'],
  ['', ''],
  ['go.brand.example:80x', ''],
  ['go..brand.example', ''],
  ['user@go.brand.example', ''],
  ['go.brand.example/x', ''],
  [`${'a.'.repeat(200)}example`, ''],
])('the host of %j is %j', (header, host) => {
  expect(parseHostHeader(header)).toBe(host);
});

describe('a request', () => {
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  test('gets the code of its host, however the host is written', async () => {
    setDomain('go.brand.example', brand);
    const port = await listen();
    for (const host of ['go.brand.example', 'GO.BRAND.EXAMPLE', 'go.brand.example:8080', 'go.brand.example.'])
      for (const path of ['/menu', '/MENU', '/menu/', '/menu.window', '/menu?x=1'])
        expect((await ask(port, host, path)).location, `${host}${path}`).toBe(links['d/bcdfghjk/menu']);
    for (const host of [
      'sign.example',
      'SIGN.example:443',
      'api.example:8443',
      'old.example',
      'other.example',
    ])
      expect((await ask(port, host)).location, host).toBe(links.menu);
    expect((await ask(port, null)).location).toBe(links.menu);
  });

  test('reaches short links alone on a domain', async () => {
    setDomain('go.brand.example', brand);
    const port = await listen();
    expect((await ask(port, 'sign.example', '/app')).text).toBe('app');
    for (const path of ['/app', '/v1/qrcodes', '/healthz', '/t/bcdfghjk/menu', '/d/bcdfghjk/menu', '/x/menu'])
      expect(await ask(port, 'go.brand.example', path), path).toMatchObject({ status: 404 });
  });

  test('finds no code of the service on a released domain, nor what the service has besides', async () => {
    setDomain('go.brand.example', { ...brand, active: false });
    const port = await listen();
    for (const path of ['/menu', '/', '/app', '/menu+']) {
      const { status, text } = await ask(port, 'go.brand.example', path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toContain('not connected');
    }
  });

  test('without a code leads where the owner of the domain has set, unless that is stopped', async () => {
    setDomain('go.brand.example', {
      ...brand,
      root: 'https://brand.example/',
      notFound: 'https://lost.example/größe',
    });
    const port = await listen();
    const locations = async () => [
      (await ask(port, 'go.brand.example', '/')).location,
      (await ask(port, 'go.brand.example', '/?utm=1')).location,
      (await ask(port, 'go.brand.example', '/nobody')).location,
      (await ask(port, 'go.brand.example', '/no/code')).location,
    ];
    const lost = 'https://lost.example/gr%C3%B6%C3%9Fe';
    expect(await locations()).toEqual(['https://brand.example/', 'https://brand.example/', lost, lost]);
    expect((await ask(port, 'go.brand.example', '/favicon.ico')).status).toBe(404);
    stops.apply([{ subject: 'host/lost.example', reason: 'blocked', n: ++n }]);
    expect(await locations()).toEqual([
      'https://brand.example/',
      'https://brand.example/',
      undefined,
      undefined,
    ]);
    stops.apply([{ subject: 'account/a', reason: 'suspended', n: ++n }]);
    expect(await locations()).toEqual([undefined, undefined, undefined, undefined]);
    expect((await ask(port, 'go.brand.example')).status).toBe(404);
  });

  test('that waits for its link follows a change of the domain that was made meanwhile', async () => {
    const port = await listen();
    const ask302 = async (path: string) => (await ask(port, 'go.brand.example', path)).location;
    setDomain('go.brand.example', { ...brand, notFound: 'https://lost.example/' });
    expect([await ask302('/away'), await ask302('/gone')]).toEqual([
      links['d/bcdfghjk/away'],
      'https://lost.example/',
    ]);
    duringLookup = () => setDomain('go.brand.example', { ...brand, notFound: 'https://found.example/' });
    expect(await ask302('/gone')).toBe('https://found.example/');
    duringLookup = () => setDomain('go.brand.example', { ...brand, active: false });
    for (const path of ['/away', '/gone', '/away+']) {
      setDomain('go.brand.example', brand);
      const { status, location, text } = await ask(port, 'go.brand.example', path);
      expect([status, location], path).toEqual([404, undefined]);
      expect(text, path).toContain('not connected');
    }
  });

  test('for a preview names the link with its domain', async () => {
    setDomain('go.brand.example', brand);
    const port = await listen();
    await ask(port, 'go.brand.example', '/Menu+');
    await ask(port, 'sign.example', '/Menu+');
    expect(previewed).toEqual(['go.brand.example/menu', 'menu']);
  });

  test('for a host that nobody has named is refused where the operator says so', async () => {
    setDomain('go.brand.example', brand);
    unknownHosts = 'refuse';
    const port = await listen();
    for (const host of ['other.example', '10.0.0.1', '', 'x@sign.example', null])
      for (const path of ['/menu', '/app', '/'])
        expect(await ask(port, host, path), `${host}${path}`).toMatchObject({ status: 421 });
    expect((await ask(port, '10.0.0.1', '/healthz')).text).toBe('app');
    expect((await ask(port, 'sign.example')).location).toBe(links.menu);
    expect((await ask(port, 'go.brand.example')).location).toBe(links['d/bcdfghjk/menu']);
    expect(new Set(asked)).toEqual(new Set(['other.example', '10.0.0.1', '', 'x@sign.example', undefined]));
  });

  test('waits for missed changes of domains where none may be trusted', async () => {
    isLeased = false;
    const port = await listen();
    let reads = 0;
    catchUp = async () => {
      if (++reads === 1) setDomain('go.brand.example', brand);
    };
    expect((await ask(port, 'sign.example')).location).toBe(links.menu);
    expect(reads).toBe(0);
    expect((await ask(port, 'go.brand.example', '/app')).status).toBe(404);
    expect((await ask(port, 'go.brand.example')).location).toBe(links['d/bcdfghjk/menu']);
    expect(reads).toBe(2);
    isLeased = true;
    for (let i = 0; i < 5; i++) await ask(port, 'go.brand.example');
    expect(reads).toBe(3);
    isLeased = false;
    catchUp = () => Promise.reject(new Error('away'));
    expect((await ask(port, 'go.brand.example')).location).toBe(links['d/bcdfghjk/menu']);
  });

  test('with any Host header at all is answered, and reads nothing of it in the answer', async () => {
    setDomain('go.brand.example', { ...brand, root: 'https://brand.example/' });
    const port = await listen();
    // What Node writes into a header.
    const hosts = fc.oneof(
      fc.string({
        unit: fc.integer({ min: 0x20, max: 0x7e }).map(code => String.fromCharCode(code)),
        maxLength: 60,
      }),
      fc.domain(),
      fc.ipV6().map(address => `[${address}]:80`),
      fc.constantFrom('go.brand.example', 'GO.brand.example:1', 'xgo.brand.example', '<script>', 'a"b'),
    );
    const runs = ciScale(10_000, 1000);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(hosts, fc.constantFrom('/menu', '/', '/app', '/nobody'), async (host, path) => {
        count++;
        const { status, location = '', text } = await ask(port, host, path);
        const isBrand = parseHostHeader(host) === 'go.brand.example';
        if (isBrand && path === '/app') expect(status).toBe(404);
        else expect([200, 302, 404]).toContain(status);
        if (isBrand) expect(location).not.toContain('service.example');
        const name = host.trim();
        if (name.length > 8) expect(text + location).not.toContain(name);
      }),
      { numRuns: runs },
    );
    expect(count).toBe(runs);
  }, 60_000);
});
