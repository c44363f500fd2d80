import { startRedis } from '@signpost/testing/engines/redis.ts';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { checksumOf } from './scan-secrets/api-key.ts';
import { scanRedis } from './scan-secrets/redis.ts';

const before = `sk_test_${'Zz9'.repeat(11).slice(0, 32)}`;
const key = `${before}${checksumOf(before)}`;

test('a key is found in every type of value, in names and in every database of Redis', async () => {
  const engine = await startRedis();
  const redis = new Redis(engine.url);
  onTestFinished(async () => {
    redis.disconnect();
    await engine.remove();
  });
  await redis.set('clean', 'sk_test_not a key');
  expect(await scanRedis(engine.url)).toMatchObject({ entries: 1, found: [] });

  await redis.set('string', `${'compress me '.repeat(100)}${key}`);
  await redis.hset('hash', 'field', key);
  await redis.rpush('list', 'a', key);
  await redis.sadd('set', 'a', key);
  await redis.zadd('zset', 1, key);
  await redis.xadd('stream', '*', 'field', key);
  await redis.set(`name ${key}`, 'value');
  await redis.select(3);
  await redis.set('elsewhere', key);
  const { entries, found } = await scanRedis(engine.url);
  expect(entries).toBe(9);
  expect(found.map(line => /"(.*)"/.exec(line)?.[1]).sort()).toEqual(
    ['(a key in the name)', 'elsewhere', 'hash', 'list', 'set', 'stream', 'string', 'zset'].sort(),
  );
  expect(found.join()).not.toContain(key);
});
