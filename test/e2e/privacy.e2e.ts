import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ask, inParallel } from '@signpost/testing/client.ts';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { runCommand, TestServer } from '@signpost/testing/server.ts';
import { expect, test } from 'vitest';
import { createClickHouse } from '../../apps/server/src/platform/clickhouse/clickhouse.ts';

const planted = Array.from({ length: 20 }, (_, i) => ({
  address: i % 2 ? `203.0.113.${100 + i}` : `2001:db8:77:${i}::beef`,
  agent: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_${i} like Mac OS X) PlantedAgent${i}x Safari/604.1`,
  // Of the languages nothing but "de" may be kept.
  languages: `de-CH,eo-PlantedTongue${i}x;q=0.7,PlantedTag${i}x;q=0.1`,
  query: `PlantedName${i}x=PlantedValue${i}x&utm_source=PlantedSource${i}x`,
}));

/** What must be found nowhere of a scan. */
const marksOf = ({ address, ...texts }: (typeof planted)[number]): string[] => [
  address,
  ...Object.values(texts).flatMap(text => text.match(/Planted[A-Z][a-z]+\d+x/g)!),
];

/** All files below a directory, decoded as latin1. */
function* filesBelow(directory: string): Generator<[name: string, text: string]> {
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const path = join(directory, name);
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) yield [name, readFileSync(path, 'latin1')];
  }
}

test('no planted address, user agent, language or query string is found in any store, log or spool', async () => {
  const engines = await Promise.all([
    startPostgres(),
    startRedis({ args: ['--appendonly', 'yes', '--appendfsync', 'always'] }),
    startNats(),
    startClickHouse(),
  ]);
  const [postgres, redis, nats, clickhouse] = engines;
  const urls = { REDIS_URL: redis.url, NATS_URL: nats.url, CLICKHOUSE_URL: clickhouse.url };
  const world = await createFixture(
    { ...urls, TRUSTED_PROXIES: '127.0.0.0/8', LOG_LEVEL: 'debug' },
    postgres.url,
  );
  await runCommand(['migrate'], world.env);
  const api = await world.server();
  const edge = await TestServer.start('redirect', world.env);
  await world.server({}, 'ingest');
  const { live: key, test } = await world.account();
  const body = { name: 'x', destination_url: 'https://example.com' };
  const code = (await ask({ method: 'POST', url: `${api.url}/v1/qrcodes`, key, body })).body;
  const trial = (await ask({ method: 'POST', url: `${api.url}/v1/qrcodes`, key: test, body })).body;
  const scanAll = () =>
    inParallel(planted.length, 4, async index => {
      const { address, agent, languages, query } = planted[index]!;
      const headers = { 'x-forwarded-for': address, 'user-agent': agent, 'accept-language': languages };
      expect((await ask({ url: `${edge.url}/${code.short_code}?${query}`, headers })).status).toBe(302);
      const testPath = new URL(trial.short_url).pathname;
      expect((await ask({ url: `${edge.url}${testPath}?${query}`, headers })).status).toBe(302);
      await ask({ url: `${edge.url}/unknown-${index}?${query}`, headers });
      await ask({ url: `${edge.url}/t/bcdfghjk/unknown-${index}?${query}`, headers });
      await ask({ url: `${api.url}/v1/qrcodes?${query}`, headers });
      expect((await ask({ url: `${edge.url}/${code.short_code}+?${query}`, headers })).status).toBe(200);
      await ask({ url: `${edge.url}/unknown-${index}+`, headers });
      const form = (link: string) => new URLSearchParams({ link, kind: 'scam', text: 'It is PlantedText.' });
      const report = (link: string) =>
        fetch(`${api.url}/report`, { method: 'POST', headers, body: form(link) }).then(
          ({ status }) => status,
        );
      expect(await report(code.short_url)).toBe(200);
      expect(await report(`unknown-${index}`)).toBe(400);
    });

  await scanAll();
  const counted = async () => (await ask({ url: `${api.url}/v1/qrcodes/${code.id}`, key })).body;
  await waitUntil('the first round is counted', async () => (await counted()).total_scans === 20);
  // Each of them was a different visitor: the planted values were really used.
  expect((await counted()).unique_scans).toBe(20);
  await nats.kill('SIGKILL');
  await scanAll();
  await edge.end('SIGKILL');

  const client = await createClickHouse(clickhouse.url);
  const rows = JSON.stringify(await client.query('select * from scans'));
  await client.close();
  expect(rows).toContain('ios');
  const places: [string, Iterable<[string, string]>][] = [
    ['rows of ClickHouse', [['scans', rows]]],
    ...engines.map(({ dir }, i): [string, Iterable<[string, string]>] => [
      ['PostgreSQL', 'Redis', 'NATS', 'ClickHouse'][i]!,
      filesBelow(dir),
    ]),
    ['spool', filesBelow(world.env.SPOOL_DIR!)],
    ['logs', [api, edge].map(server => [server.logFile, readFileSync(server.logFile, 'latin1')])],
  ];
  const marks = planted.flatMap(marksOf);
  expect(marks).toHaveLength(7 * planted.length);
  let bytes = 0;
  const found: string[] = [];
  for (const [place, files] of places) {
    for (const [name, text] of files) {
      bytes += text.length;
      for (const mark of marks) if (text.includes(mark)) found.push(`${place}: ${name}: ${mark}`);
    }
  }
  expect(found).toEqual([]);
  expect(bytes).toBeGreaterThan(10_000_000);
  // The search works: the destination took the same path and is found.
  for (const known of ['https://example.com', 'It is PlantedText.'])
    expect([...filesBelow(postgres.dir)].some(([, text]) => text.includes(known))).toBe(true);
  await world.close();
  for (const engine of engines) await engine.remove();
});
