import { redisUrl } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createRedis } from '../platform/redis/redis.ts';
import {
  createSharedUnknownHosts,
  createUnknownHosts,
  maxUnknownHosts,
  type UnknownHosts,
} from './unknown-hosts.ts';

const redis = createRedis({ redisUrl, redisTimeoutMs: 3_000 }, () => {}, { queueOffline: true });
afterAll(() => redis.disconnect());
let nowMs: number;
const clock = { now: () => new Date(nowMs) };
const fail = (error: unknown) => {
  throw error;
};
beforeEach(async () => {
  nowMs = Date.parse('2026-11-19T12:00:00Z');
  await redis.del('signpost:unknown-hosts');
});

const hour = 60 * 60_000;
const kinds: readonly (readonly [string, () => UnknownHosts])[] = [
  ['of one process', () => createUnknownHosts(clock)],
  ['of all processes', () => createSharedUnknownHosts(clock, redis, fail)],
];

describe.each(kinds)('unknown hosts %s', (_, create) => {
  const seen = (hosts: UnknownHosts, expected: readonly string[]) =>
    waitUntil('they are known', async () => {
      expect(await hosts.list()).toEqual(expected);
      return true;
    });

  test('are names as people know them, the newest first, for a day', async () => {
    const hosts = create();
    hosts.note('OLD.brand.example:8080');
    nowMs += hour;
    for (const header of [
      'go.brand.example.',
      '10.0.0.7',
      '[::1]:80',
      'localhost',
      '',
      undefined,
      'a b.example',
    ])
      hosts.note(header);
    await seen(hosts, ['go.brand.example', 'old.brand.example']);
    nowMs += 23 * hour;
    await seen(hosts, ['go.brand.example']);
    hosts.note('go.brand.example');
    await seen(hosts, ['go.brand.example']);
    nowMs += 23 * hour;
    await seen(hosts, ['go.brand.example']);
  });

  test(`are at most ${maxUnknownHosts}, however many are asked for`, async () => {
    const hosts = create();
    for (let at = 0; at < 10 * maxUnknownHosts; at++) hosts.note(`x${at}.example`);
    await waitUntil('they are known', async () => (await hosts.list()).length === maxUnknownHosts);
  });
});

test('what one process was asked for, every process knows', async () => {
  const [one, other] = [
    createSharedUnknownHosts(clock, redis, fail),
    createSharedUnknownHosts(clock, redis, fail),
  ];
  one.note('one.example');
  other.note('other.example');
  await waitUntil('both are known', async () => (await other.list()).length === 2);
  for (let at = 0; at < maxUnknownHosts; at++) one.note(`x${at}.example`);
  await waitUntil('they are bounded', async () => (await other.list()).length === maxUnknownHosts);
});
