import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { someLink } from '@signpost/testing/links.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { presentError } from '../http/errors.ts';
import { createClientAddress } from '../kernel/addresses/client-address.ts';
import { systemClock } from '../kernel/clock.ts';
import { createRequestIds } from '../kernel/request-ids.ts';
import { createSlidingWindows } from '../limits/sliding-windows.ts';
import type { StopReason } from './changes/stops/stop.ts';
import { createRedirectHandler, type ScanRecorder } from './handler.ts';
import { createHosts } from './hosts.ts';
import { createDomainMap } from './links/domain-map.ts';
import type { Link } from './links/link.ts';
import type { Found } from './links/links.ts';
import { createPages } from './pages.ts';
import { createResponseTimes } from './response-times.ts';

const linkTo = (location: string): Link => someLink({ location });

const domains = createDomainMap();
const trust = { isGood: () => true, epoch: 1 };
const pages = createPages((error, id) => presentError(error, id, 'https://example.com'));
let times: ReturnType<typeof createResponseTimes>;
let errors: unknown[];
let notRedirected: string[];
let stop: StopReason | null;
let record: ScanRecorder['record'];
let responded: Promise<ServerResponse>;
let server: ReturnType<typeof createServer>;
let url: string;

/** The links in memory. Every other code is unknown. */
const known: Readonly<Record<string, Found>> = {
  good: { link: linkTo('https://example.com/') },
  /** Not valid in a header, so writing the response fails. */
  broken: { link: linkTo('https://example.com/\n') },
  gone: { link: { ...linkTo('https://example.com/'), status: 'deleted' } },
  away: 'away',
  busy: 'busy',
};

beforeEach(async () => {
  times = createResponseTimes([200, 302, ...Object.values(pages).map(page => page.status)]);
  errors = [];
  notRedirected = [];
  stop = null;
  record = () => false;
  const handler = createRedirectHandler({
    links: { getCached: (key: string) => known[key] ?? 'none' } as never,
    stops: { reasonFor: () => stop, domains },
    hosts: createHosts({ own: ['127.0.0.1'], domains, trust, catchUp: async () => undefined }),
    unknownHosts: 'default',
    onUnknownHost: () => undefined,
    staleLinks: 'serve',
    recorder: {
      record: (...scan) => record(...scan),
      createScanner: () => expect.unreachable(),
      recordRouted: () => expect.unreachable(),
    },
    clock: systemClock,
    clientAddress: createClientAddress([]),
    unknownCodes: createSlidingWindows({ windowMs: 60_000, maxKeys: 10 }),
    unknownCodesPerMinute: 1_000,
    previews: {
      take: () => true,
      lookUp: async () => 'none',
      present: () => ({ headers: {}, body: '' }),
    },
    onPage: () => {},
    onNotRedirected: link => notRedirected.push(link.status),
    onError: error => errors.push(error),
    times,
    pages,
    nextRequestId: createRequestIds(systemClock),
  });
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  responded = promise;
  server = createServer((incoming, response) => {
    handler(incoming, response);
    resolve(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Responses by status, without those at 0. */
const counted = () =>
  Object.fromEntries(
    times.read().flatMap(({ status, responses }) => (responses > 0 ? [[status, responses]] : [])),
  );

test.each([
  ['GET', 'good', 302],
  ['HEAD', 'good', 302],
  ['GET', 'gone', 410],
  ['GET', 'nobody', 404],
  ['GET', 'not/a/code', 404],
  ['GET', 'good+', 404],
  ['GET', 'busy', 429],
  ['GET', 'away', 503],
  ['POST', 'good', 405],
  ['GET', 'broken', 503],
])('%s /%s counts once, as %i', async (method, path, status) => {
  const answer = await fetch(`${url}/${path}`, { method, redirect: 'manual' });
  expect([answer.status, counted()]).toEqual([status, { [status]: 1 }]);
});

test('a page is in the language of the scanner, and its JSON in none but English', async () => {
  const get = (accept: string, language: string) =>
    fetch(`${url}/gone`, { headers: { accept, 'accept-language': language } });
  const german = await get('text/html', 'de-AT,en;q=0.5');
  expect([german.status, german.headers.get('content-language')]).toEqual([410, 'de']);
  expect(german.headers.get('vary')).toBe('Accept, Accept-Language');
  expect(await german.text()).toContain('<title>Dieser Code wird nicht mehr verwendet</title>');
  const unknown = await get('text/html', `${'x;q=1,'.repeat(2000)}de`);
  expect(unknown.headers.get('content-language')).toBe('en');
  const json = await get('application/json', 'de');
  expect([json.headers.get('content-language'), json.headers.get('content-type')]).toEqual([
    null,
    'application/json; charset=utf-8',
  ]);
  expect(await json.json()).toMatchObject({
    error: { code: 'gone', message: 'This code is no longer in use. Its owner has removed it permanently.' },
  });
});

test('a scan that cannot be recorded because of an internal error counts once, under the status the scanner got', async () => {
  record = () => {
    throw new Error('internal');
  };
  expect((await fetch(`${url}/good`, { redirect: 'manual' })).status).toBe(503);
  expect([counted(), errors]).toEqual([{ 503: 1 }, [new Error('internal')]]);
});

test('a scanner that hangs up before the response counts once, with the time it took', async () => {
  let recorded = () => {};
  record = (_link, _request, onRecorded) => {
    recorded = onRecorded;
    return true;
  };
  const outgoing = request(`${url}/good`).on('error', () => {});
  outgoing.end();
  const response = await responded;
  outgoing.destroy();
  await once(response, 'close');
  expect(counted()).toEqual({});
  recorded();
  expect([counted(), errors]).toEqual([{ 302: 1 }, []]);
});

test('a code that is stopped while its scan is recorded does not redirect', async () => {
  record = (_link, _request, onRecorded) => {
    stop = 'suspended';
    setImmediate(onRecorded);
    return true;
  };
  expect((await fetch(`${url}/good`, { redirect: 'manual' })).status).toBe(404);
});

test('a page for a code that exists is told, a preview and a page for an unknown code are not', async () => {
  for (const path of ['gone', 'gone+', 'nobody', 'good', 'busy', 'away'])
    await fetch(`${url}/${path}`, { redirect: 'manual' });
  expect(notRedirected).toEqual(['deleted']);
});
