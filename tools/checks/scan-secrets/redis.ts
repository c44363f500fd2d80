import { Redis } from 'ioredis';
import { apiKeysIn } from './api-key.ts';

/** The command that reads a whole value, by type. Other types are read by DUMP. */
const readers: Readonly<
  Record<string, (key: Buffer) => readonly [command: string, ...args: (Buffer | string)[]]>
> = {
  string: key => ['GET', key],
  hash: key => ['HGETALL', key],
  list: key => ['LRANGE', key, '0', '-1'],
  set: key => ['SMEMBERS', key],
  zset: key => ['ZRANGE', key, '0', '-1'],
  stream: key => ['XRANGE', key, '-', '+'],
};

export type RedisScanned = {
  readonly entries: number;
  readonly bytes: number;
  readonly found: readonly string[];
};

/**
 * Scans every key of every database. Values are read by type, since DUMP compresses strings and would split a secret.
 */
export async function scanRedis(url: string): Promise<RedisScanned> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, connectTimeout: 5_000 });
  const found: string[] = [];
  let [entries, bytes] = [0, 0];
  try {
    for (const database of await databasesOf(redis)) {
      await redis.select(database);
      for await (const key of keysOf(redis)) {
        const value = Buffer.concat([key, Buffer.from('\n'), await contentOf(redis, key)]);
        entries++;
        bytes += value.length;
        const name = apiKeysIn(key).length > 0 ? '(a key in the name)' : key.toString('latin1');
        found.push(
          ...apiKeysIn(value).map(({ masked }) => `redis db ${database} ${JSON.stringify(name)}: ${masked}`),
        );
      }
    }
  } finally {
    redis.disconnect();
  }
  return { entries, bytes, found };
}

async function databasesOf(redis: Redis): Promise<readonly number[]> {
  const keyspace = await redis.info('keyspace');
  return [...keyspace.matchAll(/^db(\d+):/gm)].map(match => Number(match[1]));
}

async function* keysOf(redis: Redis): AsyncGenerator<Buffer> {
  let cursor = '0';
  do {
    const [next, keys] = await redis.scanBuffer(cursor, 'COUNT', 1_000);
    yield* keys;
    cursor = next.toString();
  } while (cursor !== '0');
}

async function contentOf(redis: Redis, key: Buffer): Promise<Buffer> {
  const read = readers[await redis.type(key)] ?? (name => ['DUMP', name]);
  const [command, ...args] = read(key);
  return flat(await redis.callBuffer(command, ...args));
}

/** The strings of a reply, one per line, so that two adjacent ones do not look like one. */
function flat(answer: unknown): Buffer {
  if (Buffer.isBuffer(answer)) return answer;
  if (!Array.isArray(answer)) return Buffer.alloc(0);
  return Buffer.concat(answer.flatMap(item => [flat(item), Buffer.from('\n')]));
}
