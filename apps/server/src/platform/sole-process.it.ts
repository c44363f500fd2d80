import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import pg from 'pg';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { openProcessChannel, splitIntoParts } from './process-channel.ts';
import { NotSoleProcess, SoleProcess } from './sole-process.ts';

let databaseUrl: string;
let running: SoleProcess[] = [];
const events: string[] = [];
const received: unknown[] = [];

beforeAll(async () => {
  databaseUrl = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(running.map(sole => sole.stop()));
  running = [];
  events.length = 0;
  received.length = 0;
});

function soleProcess(leaseMs = 600): SoleProcess {
  const sole = new SoleProcess({
    databaseUrl,
    leaseMs,
    onMessage: ({ change }) => void received.push(change),
    onMessageFailed: () => events.push('message failed'),
    onReplaced: () => events.push('replaced'),
    onLost: () => events.push('lost'),
    onRegained: () => events.push('regained'),
  });
  running.push(sole);
  return sole;
}

async function onServer<Row extends object>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}

/** Ends the session that holds the lock, as a restart of PostgreSQL does. */
const endSession = () =>
  onServer(`select pg_terminate_backend(pid) from pg_stat_activity
             where application_name like 'signpost solo %' and datname = current_database()`);

test('a second process is refused, and may start once the first has ended', async () => {
  const first = soleProcess();
  await first.start();
  expect(first.isHeld()).toBe(true);
  await expect(soleProcess().start()).rejects.toThrow(NotSoleProcess);
  await first.stop();
  expect(first.isHeld()).toBe(false);
  await soleProcess().start();
});

test('a process whose session ends counts on nothing until it has the lock again, in another term', async () => {
  const sole = soleProcess();
  await sole.start();
  const { term } = sole;
  await endSession();
  await waitUntil('it knows', () => events.includes('lost'));
  await waitUntil('it has the lock again', () => events.includes('regained'));
  expect([sole.isHeld(), sole.term, sole.timesLost]).toEqual([true, term + 1, 1]);
});

test('a process that lost its session to another ends', async () => {
  const [first, second] = [soleProcess(), soleProcess()];
  await first.start();
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'signpost solo of another',
  });
  await client.connect();
  // Waits in the queue of the lock, and gets it when the session ends.
  const locked = client.query('select pg_advisory_lock(7305101105)');
  await sleep(100);
  await onServer(`select pg_terminate_backend(pid) from pg_locks
                   where locktype = 'advisory' and granted and objid = 7305101105 % 4294967296`);
  await locked;
  await waitUntil('it gives up', () => events.includes('replaced'));
  expect(first.isHeld()).toBe(false);
  await expect(first.confirm()).rejects.toThrow();
  await client.end();
  await second.start();
});

test('being alone is confirmed only once no earlier holder can count on the lock', async () => {
  const sole = soleProcess(500);
  const startedMs = performance.now();
  await sole.start();
  await sole.confirm();
  expect(performance.now() - startedMs).toBeGreaterThan(490);
  const againMs = performance.now();
  await sole.confirm();
  expect(performance.now() - againMs).toBeLessThan(300);
});

test('a command waits until the process has applied its changes; without a process it does not wait', async () => {
  const channel = await openProcessChannel(databaseUrl);
  await channel.send([{ keys: ['a'] }]);
  expect(received).toEqual([]);
  await soleProcess().start();
  const keys = Array.from({ length: 2_000 }, (_, n) => `code-${n}`);
  await channel.send(splitIntoParts(keys).map(part => ({ keys: part })));
  const applied = (received as { keys: string[] }[]).flatMap(change => change.keys);
  expect(applied.sort()).toEqual(keys.sort());
  expect(received.length).toBeGreaterThan(1);
  await channel.close();
});

test('a message that cannot be read is reported, and those after it are applied', async () => {
  await soleProcess().start();
  await onServer(`notify signpost_changes, 'not JSON'`);
  await waitUntil('it is reported', () => events.includes('message failed'));
  const channel = await openProcessChannel(databaseUrl);
  await channel.send([{ keys: ['a'] }]);
  expect(received).toEqual([{ keys: ['a'] }]);
  await channel.close();
});
