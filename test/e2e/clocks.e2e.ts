import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '@signpost/testing/client.ts';
import {
  type ClockFixture,
  createClockFixture,
  enter,
  sessionDays,
} from '@signpost/testing/clock-fixture.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { goodPassword, newEmail } from '@signpost/testing/people.ts';
import { TestServer } from '@signpost/testing/server.ts';
import { createWrongClock, type WrongClock } from '@signpost/testing/wrong-clock.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const visitors = 5;
const person = { email: newEmail(), password: goodPassword };
const startMs = Date.now();

let clockFixture: ClockFixture;
let owner: TestServer;
let code: { readonly id: string; readonly short_code: string };
let key: string;
let cookie: string;
let scans = 0;

/** The same address and user agent each time, so that no visitor is new after the first round. */
async function scan(edge: TestServer, visitor: number): Promise<void> {
  const headers = {
    'x-forwarded-for': `203.0.113.${visitor}`,
    'user-agent': `Mozilla/5.0 (iPhone) ${visitor}`,
  };
  expect((await ask({ url: `${edge.url}/${code.short_code}`, headers })).status).toBe(302);
  scans++;
}

async function allVisitorsScan(edge: TestServer): Promise<void> {
  for (let visitor = 0; visitor < visitors; visitor++) await scan(edge, visitor);
}

const counts = async (api: TestServer) => (await ask({ url: `${api.url}/v1/qrcodes/${code.id}`, key })).body;
const allAreCounted = (api: TestServer) =>
  waitUntil('every scan is counted', async () => (await counts(api)).total_scans === scans);

const createOnce = (api: TestServer) =>
  ask({
    method: 'POST',
    url: `${api.url}/v1/qrcodes`,
    key,
    body: { name: 'Once', destination_url: 'https://example.com/once' },
    headers: { 'idempotency-key': 'one order' },
  });

beforeAll(async () => {
  clockFixture = await createClockFixture();
  const { fixture: world } = clockFixture;
  const started = await Promise.all(
    ['api', 'redirect', 'ingest'].map(role => TestServer.start(role, world.env)),
  );
  const [api, edge] = started as [TestServer, TestServer];
  owner = started[2]!;
  key = (await world.account()).live;
  code = (await createOnce(api)).body;
  cookie = await enter(api, 'sign-up', { name: 'Somebody', ...person });
  await allVisitorsScan(edge);
  await allAreCounted(api);
  await Promise.all(started.map(server => server.end('SIGTERM')));
});
afterAll(() => clockFixture?.close());

/** The ingest that owns the shard starts under a right clock, and prunes: what is planted later is left to the others. */
async function startOwner(): Promise<void> {
  await clockFixture.insertExpired('table');
  await owner.start();
  await waitUntil('the owner of the shard has pruned', clockFixture.expiredIsGone);
}

/** An API, a redirect, and an ingest that stands by while another works on the shard. */
async function startUnder(clock: WrongClock) {
  const env = { ...clockFixture.fixture.env, ...clock.env };
  const all = await Promise.all(['api', 'redirect', 'ingest'].map(role => TestServer.start(role, env)));
  const [api, edge, standby] = all as [TestServer, TestServer, TestServer];
  return { api, edge, standby, all };
}

const gauge = async (server: TestServer, name: string) => {
  const text = await (await fetch(server.metricsUrl)).text();
  return Number(new RegExp(`^${name}\\S* (\\S+)$`, 'm').exec(text)?.[1]);
};

const daySeconds = 24 * 60 * 60;
const daysOf = (offset: string) => Number.parseInt(offset, 10);
const skewIs = (servers: readonly TestServer[], offset: string) =>
  waitUntil(`the skew is ${offset}`, async () => {
    const skews = await Promise.all(servers.map(server => gauge(server, 'signpost_clock_skew_seconds')));
    return skews.every(skew => Math.abs(skew - daysOf(offset) * daySeconds) < 60);
  });

const differs = '"msg":"clock differs from PostgreSQL"';
const agrees = '"msg":"clock agrees with PostgreSQL again"';
const linesOf = (server: TestServer, line: string) => server.log().split(line).length - 1;

async function scanDuring(edge: TestServer, work: () => Promise<void>): Promise<void> {
  let isDone = false;
  const scanning = (async () => {
    for (let n = 0; !isDone; n++) {
      await scan(edge, n % visitors);
      await pause(10);
    }
  })();
  await work().finally(() => {
    isDone = true;
  });
  await scanning;
}

test.each([
  { from: '+40d', to: ['+0', '-40d'], warnings: 2 },
  { from: '-40d', to: ['+40d', '+0'], warnings: 1 },
])(
  'an api, a redirect and a standby ingest at $from that jump to $to while they run delete nothing, count nothing twice, and see no visitor as new',
  async ({ from, to, warnings }) => {
    await startOwner();
    const before = await clockFixture.retained();
    await clockFixture.insertExpired('batch', 'table', 'salt', 'answer');
    const clock = createWrongClock(from);
    const { api, edge, standby, all } = await startUnder(clock);
    try {
      await waitUntil('what is due by the right time is deleted', clockFixture.expiredIsGone);
      expect(await clockFixture.retained()).toEqual(before);
      await skewIs(all, from);
      for (const server of all) {
        expect(await gauge(server, 'signpost_clock_measured')).toBe(1);
        await waitUntil('it logs the difference', () => linesOf(server, differs) === 1);
      }

      expect((await ask({ url: `${api.url}/auth/sessions`, headers: { cookie } })).status).toBe(200);
      await enter(api, 'sign-in', person);
      expect(await clockFixture.daysOfNewestSession()).toBeCloseTo(sessionDays, 2);
      const replayed = await createOnce(api);
      expect([replayed.headers['idempotent-replayed'], replayed.body.id]).toEqual(['true', code.id]);

      await allVisitorsScan(edge);
      await scanDuring(edge, async () => {
        for (const offset of to) {
          clock.set(offset);
          await skewIs(all, offset);
          if (offset === '+0')
            await waitUntil('all agree', () => all.every(server => linesOf(server, agrees) === 1));
        }
      });
      await waitUntil('all have logged it', () => all.every(server => linesOf(server, differs) === warnings));

      await allAreCounted(api);
      // The standby takes over.
      await owner.end('SIGKILL');
      await clockFixture.repeatBatches();
      await allVisitorsScan(edge);
      await allAreCounted(api);
      expect(await counts(api)).toMatchObject({ total_scans: scans, unique_scans: visitors });
      await waitUntil('every scan is stored', async () => (await clockFixture.stored()).length >= scans);
      const times = await clockFixture.stored();
      expect(times).toHaveLength(scans);
      expect(times.flat().filter(ms => ms < startMs - 1_000 || ms > Date.now() + 1_000)).toEqual([]);

      const after = await clockFixture.retained();
      for (const [kind, things] of Object.entries(before))
        expect(things.filter(one => !after[kind as keyof typeof after].includes(one))).toEqual([]);
      expect(after.tables).toEqual(before.tables);
      expect(after.salts).toEqual(before.salts);
      for (const server of all) expect(linesOf(server, differs)).toBe(warnings);
      expect(linesOf(standby, '"msg":"old batch ids and visitor tables removed"')).toBe(1);
      expect(linesOf(standby, '"msg":"old salts destroyed"')).toBe(1);
    } finally {
      await Promise.all([...all, owner].map(server => server.end('SIGTERM')));
    }
  },
);
