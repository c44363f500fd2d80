import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { presentError } from '../http/errors.ts';
import { createClientAddress } from '../kernel/client-address.ts';
import { systemClock } from '../kernel/clock.ts';
import { createRequestIds } from '../kernel/request-ids.ts';
import { createSlidingWindows } from '../kernel/sliding-windows.ts';
import { createAnswerTimes } from './answer-times.ts';
import { createRedirectHandler } from './handler.ts';
import type { Link } from './link.ts';
import type { Found } from './links.ts';
import { createPages } from './pages.ts';

const linkTo = (location: string): Link => ({
  qrCodeId: new Uint8Array(16) as never,
  accountId: new Uint8Array(16) as never,
  mode: 'live',
  status: 'active',
  suspended: false,
  location,
  host: 'example.com',
});

const pages = createPages((error, id) => presentError(error, id, 'https://example.com'));
let times: ReturnType<typeof createAnswerTimes>;
let faults: unknown[];
let kept: () => Promise<unknown> | null;
let answered: Promise<ServerResponse>;
let server: ReturnType<typeof createServer>;
let url: string;

/** What the short links know. A code of this name that is none of them is unknown. */
const known: Readonly<Record<string, Found>> = {
  good: { link: linkTo('https://example.com/') },
  /** No header can hold it, so writing the answer fails. */
  broken: { link: linkTo('https://example.com/\n') },
  gone: { link: { ...linkTo('https://example.com/'), status: 'deleted' } },
  away: 'away',
  busy: 'busy',
};

beforeEach(async () => {
  times = createAnswerTimes([200, 302, ...Object.values(pages).map(page => page.status)]);
  faults = [];
  kept = () => null;
  const handler = createRedirectHandler({
    links: { recall: (key: string) => known[key] ?? 'none' } as never,
    stops: { of: () => null },
    recorder: { record: () => kept() },
    clientAddress: createClientAddress([]),
    misses: createSlidingWindows({ windowMs: 60_000, maxKeys: 10 }),
    missesPerMinute: 1_000,
    previews: {
      take: () => true,
      look: async () => 'none',
      present: () => ({ headers: {}, body: '' }),
    },
    onPage: () => {},
    onFault: error => faults.push(error),
    times,
    pages,
    nextRequestId: createRequestIds(systemClock),
  });
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  answered = promise;
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

/** Answers by status, without those that nobody got. */
const counted = () =>
  Object.fromEntries(times.read().flatMap(({ status, answers }) => (answers > 0 ? [[status, answers]] : [])));

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

test('a scan that cannot be kept because of a fault of ours counts once, as what the scanner got', async () => {
  kept = () => Promise.reject(new Error('a fault'));
  expect((await fetch(`${url}/good`, { redirect: 'manual' })).status).toBe(503);
  expect([counted(), faults]).toEqual([{ 503: 1 }, [new Error('a fault')]]);
});

test('a scanner who hangs up before the answer counts once, with the time it took', async () => {
  const wait = Promise.withResolvers<void>();
  kept = () => wait.promise;
  const outgoing = request(`${url}/good`).on('error', () => {});
  outgoing.end();
  const response = await answered;
  outgoing.destroy();
  await once(response, 'close');
  expect(counted()).toEqual({});
  wait.resolve();
  await wait.promise;
  await new Promise(setImmediate);
  expect([counted(), faults]).toEqual([{ 302: 1 }, []]);
});
