import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { firstLine } from './first-line.ts';
import { freePort } from './free-port.ts';
import { natsAnswers, startNats } from './nats.ts';
import { startPostgres } from './postgres.ts';
import { redisAnswers, startRedis } from './redis.ts';
import { waitUntil } from './wait.ts';

async function rows(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** One request to JetStream's API in the NATS protocol, which is plain text. */
function jetStream(port: number, subject: string, body: object = {}): Promise<{ error?: unknown }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const json = JSON.stringify(body);
    let text = '';
    socket.setTimeout(5_000, () => socket.destroy(new Error(`No response to ${subject}`)));
    socket.write(
      `CONNECT {"verbose":false}\r\nSUB answer 1\r\nPUB ${subject} answer ${json.length}\r\n${json}\r\n`,
    );
    socket.on('data', chunk => {
      text += chunk.toString();
      const payload = /MSG answer 1 +\d+\r\n(.*)\r\n/.exec(text)?.[1];
      if (payload === undefined) return;
      resolve(JSON.parse(payload));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

test('after kill -9 PostgreSQL starts on the same port with everything committed', async () => {
  const postgres = await startPostgres({ settings: { max_connections: 20 } });
  onTestFinished(() => postgres.remove());
  await rows(postgres.url, 'create table kept as select 7 as n');
  const { pid } = postgres;
  await postgres.kill('SIGKILL');
  await expect(rows(postgres.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  await postgres.restart();
  expect(postgres.pid).not.toBe(pid);
  expect(await rows(postgres.url, 'select n from kept')).toEqual([{ n: 7 }]);
  expect(await rows(postgres.url, 'show max_connections')).toEqual([{ max_connections: '20' }]);
});

test('a frozen PostgreSQL does not answer on an open connection, and resumes when it thaws', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('select 1');
  postgres.freeze();
  const answer = client.query('select 2 as n');
  const first = await Promise.race([answer, sleep(500).then(() => 'silence')]);
  expect(first).toBe('silence');
  postgres.thaw();
  expect((await answer).rows).toEqual([{ n: 2 }]);
});

test('PostgreSQL starts again after a stop in either mode; after removal its data are gone', async () => {
  const postgres = await startPostgres();
  await postgres.stop('fast');
  await postgres.restart();
  await postgres.stop('immediate');
  await postgres.restart();
  expect(await rows(postgres.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  await postgres.remove();
  expect(existsSync(postgres.dir)).toBe(false);
});

test('PostgreSQL with an unknown setting fails at once with its own message', async () => {
  await expect(startPostgres({ settings: { no_such_setting: 1 } })).rejects.toThrow('no_such_setting');
});

test('after kill -9 Redis starts on the same port, empty', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.remove());
  expect(await firstLine(redis.port, 'SET a 1\r\n')).toBe('+OK');
  await redis.kill('SIGKILL');
  await expect(redisAnswers(redis.port)).rejects.toThrow('ECONNREFUSED');
  await redis.restart();
  expect(await firstLine(redis.port, 'GET a\r\n')).toBe('$-1');
});

test('Redis started with an append-only file keeps its keys through kill -9', async () => {
  const redis = await startRedis({ args: ['--appendonly', 'yes', '--appendfsync', 'always'] });
  onTestFinished(() => redis.remove());
  expect(await firstLine(redis.port, 'SET a 1\r\n')).toBe('+OK');
  await redis.kill('SIGKILL');
  await redis.restart();
  expect(await firstLine(redis.port, 'GET a\r\n')).toBe('$1');
});

test('after kill -9 NATS starts on the same port with its streams', async () => {
  const nats = await startNats();
  onTestFinished(() => nats.remove());
  expect(await natsAnswers(nats.port)).toBe(true);
  const stream = { name: 'KEPT', subjects: ['kept.>'], storage: 'file' };
  expect(await jetStream(nats.port, '$JS.API.STREAM.CREATE.KEPT', stream)).not.toHaveProperty('error');
  expect(await jetStream(nats.port, 'kept.one', { n: 1 })).toMatchObject({ stream: 'KEPT', seq: 1 });
  await nats.kill('SIGKILL');
  await nats.restart();
  expect(await jetStream(nats.port, '$JS.API.STREAM.INFO.KEPT')).toMatchObject({ state: { messages: 1 } });
});

test('an engine pauses on SIGSTOP and resumes on SIGCONT', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.remove());
  await redis.kill('SIGSTOP');
  await expect(firstLine(redis.port, 'PING\r\n', 200)).rejects.toThrow('No answer');
  await redis.kill('SIGCONT');
  expect(await firstLine(redis.port, 'PING\r\n')).toBe('+PONG');
});

test('a wait that times out reports its condition and why the last attempt failed', async () => {
  const port = await freePort();
  const wait = waitUntil('Redis answers', () => redisAnswers(port), { timeoutMs: 60 });
  await expect(wait).rejects.toThrow(/Timed out after 60 ms waiting until Redis answers.*ECONNREFUSED/);
});
