import { setTimeout as pause } from 'node:timers/promises';
import { promisedMs, startBareServer } from '@signpost/testing/bare-server.ts';
import { ask, inParallel } from '@signpost/testing/client.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { p99 } from '@signpost/testing/percentile.ts';
import { runCommand, TestServer } from '@signpost/testing/server.ts';
import { expect, test } from 'vitest';

const scansPerRound = 1000;
/** A machine that stalls in one round does not stall in all of them; a process that waits for an engine does. */
const maxRounds = 5;
const roundPauseMs = 2_000;

test('with every engine stopped, codes in memory redirect within 50 ms at p99, and their scans arrive when all is back', async () => {
  const engines = await Promise.all([startPostgres(), startRedis(), startNats()]);
  const [postgres, redis, nats] = engines;
  const bare = await startBareServer();
  const urls = { REDIS_URL: redis.url, NATS_URL: nats.url };
  const world = await createFixture(urls, postgres.url);
  await runCommand(['migrate'], world.env);
  const api = await world.server();
  const edge = await TestServer.start('redirect', world.env);
  await world.server({}, 'ingest');
  const { live: key } = await world.account();
  const items = Array.from({ length: 20 }, (_, i) => ({
    name: 'x',
    destination_url: `https://example.com/${i}`,
  }));
  const made = await ask({ method: 'POST', url: `${api.url}/v1/qrcodes/bulk`, key, body: { items } });
  const codes: { id: string; short_code: string }[] = made.body.data.map(
    (entry: { qr_code: object }) => entry.qr_code,
  );
  const scan = (index: number) => ask({ url: `${edge.url}/${codes[index % codes.length]!.short_code}` });
  for (let i = 0; i < codes.length; i++) expect((await scan(i)).status).toBe(302);

  await Promise.all([postgres.stop('immediate'), redis.kill('SIGKILL'), nats.kill('SIGKILL')]);
  // The first after the blow may meet connections that are about to break.
  await inParallel(40, 4, scan);
  const rounds: { ours: number; bare: number }[] = [];
  const isPromised = ({ ours, bare: theirs }: (typeof rounds)[0]) => ours < promisedMs(50, theirs);
  while (rounds.length < maxRounds && !rounds.some(isPromised)) {
    if (rounds.length > 0) await pause(roundPauseMs);
    const bareTimes: number[] = [];
    const answers = await inParallel(scansPerRound, 8, async index => {
      const answer = await scan(index);
      bareTimes.push((await ask(bare)).ms);
      return answer;
    });
    expect(answers.filter(answer => answer.status !== 302)).toEqual([]);
    rounds.push({ ours: p99(answers.map(answer => answer.ms)), bare: p99(bareTimes) });
  }
  console.log(`alone p99_ms ${rounds.map(one => one.ours.toFixed(1)).join(' ')}`);
  expect(rounds.filter(isPromised)).not.toEqual([]);
  const away = await ask({ url: `${edge.url}/never-seen`, headers: { accept: 'application/json' } });
  expect([away.status, away.body.error.request_id]).toEqual([503, away.headers['x-request-id']]);

  bare.close();

  await edge.end('SIGKILL');
  await Promise.all(engines.map(engine => engine.start()));
  await edge.start();
  await waitUntil(
    'every scan is counted',
    async () => {
      const { status, body } = await ask({ url: `${api.url}/v1/qrcodes?limit=100`, key });
      const total = (body.data as { total_scans: number }[] | undefined)?.reduce(
        (sum, code) => sum + code.total_scans,
        0,
      );
      return status === 200 && total === codes.length + 40 + rounds.length * scansPerRound;
    },
    { timeoutMs: 240_000, everyMs: 500 },
  );
  await edge.end('SIGTERM');
  await world.close();
  for (const engine of engines) await engine.remove();
});
