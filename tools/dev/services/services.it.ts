import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { redisAnswers } from '@signpost/testing/engines/redis.ts';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createServices } from './run.ts';
import { namesEngines, soloServices, services as table } from './service.ts';

async function aProject(wanted = table) {
  const project = mkdtempSync(join(tmpdir(), 'signpost-services-'));
  const [postgres, redis, nats] = [await freePort(), await freePort(), await freePort()];
  const env = {
    DATABASE_URL: `postgres://postgres@127.0.0.1:${postgres}/signpost`,
    REDIS_URL: `redis://127.0.0.1:${redis}`,
    NATS_URL: `nats://127.0.0.1:${nats}`,
  };
  const said: string[] = [];
  const services = createServices({ project, env, wanted, say: line => said.push(line) });
  onTestFinished(async () => {
    await services.stop();
    for (const { directory } of table)
      rmSync(directory(join(project, '.services')), { recursive: true, force: true });
    rmSync(project, { recursive: true, force: true });
  });
  return { project, env, services, ports: { postgres, redis, nats }, heard: () => said.splice(0).join('\n') };
}

test('services starts what is missing, creates the database and .env, and stop ends all of it', async () => {
  const { project, env, services, ports, heard } = await aProject();
  await services.start();
  expect(heard()).toMatch(
    /PostgreSQL +started.*\nRedis +started.*\nNATS +started.*\ndatabase +signpost made\n\.env +written/,
  );
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  await client.end();
  expect(parseEnv(readFileSync(join(project, '.env'), 'utf8'))).toMatchObject({
    DATABASE_URL: env.DATABASE_URL,
    NATS_URL: env.NATS_URL,
    AUTH_SECRET: expect.stringMatching(/^[\w-]{43}$/),
  });

  await services.start();
  expect(heard()).toMatch(
    /PostgreSQL +answers.*left alone\nRedis +answers.*\nNATS +answers.*\ndatabase +signpost is there/,
  );
  await services.status();
  expect(heard()).toMatch(/Redis +answers on 127.0.0.1:\d+ \(ours, pid \d+\)/);

  await services.stop();
  expect(heard()).toMatch(/PostgreSQL +stopped.*\nRedis +stopped.*\nNATS +stopped/);
  await expect(redisAnswers(ports.redis)).rejects.toThrow('ECONNREFUSED');
  await services.stop();
  expect(heard()).toMatch(/Redis +not started by us; left alone/);
});

test('a port used by something else is left alone, and the engine starts on another', async () => {
  const { services, ports, env, project, heard } = await aProject();
  const stranger = createServer(socket =>
    socket.on('error', () => undefined).end('-NOAUTH Who are you?\r\n'),
  );
  await new Promise<void>(resolve => stranger.listen(ports.redis, '127.0.0.1', resolve));
  onTestFinished(() => void stranger.close());
  await services.start();
  expect(heard()).toMatch(/Redis +on 127.0.0.1:\d+ is of no use here.*\nRedis +started on/);
  const written = parseEnv(readFileSync(join(project, '.env'), 'utf8'));
  expect(written.REDIS_URL).not.toBe(env.REDIS_URL);
  expect(await redisAnswers(Number(new URL(written.REDIS_URL ?? '').port))).toBe(true);
  expect(existsSync(join(project, '.services/redis'))).toBe(true);
});

test('for solo it starts PostgreSQL alone, and writes a .env that only its owner reads; --engines adds the others', async () => {
  const { project, env, services, heard } = await aProject(soloServices);
  const envFile = join(project, '.env');
  const written = () => parseEnv(readFileSync(envFile, 'utf8'));
  await services.start();
  expect(heard()).toMatch(/^PostgreSQL +started.*\ndatabase +signpost made\n\.env +written$/);
  expect(statSync(envFile).mode & 0o777).toBe(0o600);
  const names = ['AUTH_SECRET', 'DATABASE_URL', 'WEBHOOK_SECRET_KEYS'];
  expect(Object.keys(written()).toSorted()).toEqual(names);
  expect([namesEngines(written()), namesEngines({ ...written(), NATS_URL: '' })]).toEqual([false, false]);

  chmodSync(envFile, 0o644);
  const wanted = table
    .filter(({ key }) => key !== 'nats')
    .map(one => (one.key === 'redis' ? { ...one, defaultUrl: env.REDIS_URL } : one));
  await createServices({ project, env: {}, wanted, say: () => undefined }).start();
  expect(written()).toMatchObject({ DATABASE_URL: env.DATABASE_URL, REDIS_URL: env.REDIS_URL });
  expect(namesEngines(written())).toBe(true);
  expect(statSync(envFile).mode & 0o777).toBe(0o600);
});
