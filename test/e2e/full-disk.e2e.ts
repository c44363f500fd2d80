import { readdirSync } from 'node:fs';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { ask, inParallel } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { addCodes } from '@signpost/testing/scan-ledger.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { mountSmallDisk } from '@signpost/testing/small-disk.ts';
import { expect, onTestFinished, test } from 'vitest';

const seconds = ciScale(40, 5);

const kept = async (server: TestServer, where: string) => {
  const text = await (await fetch(server.metricsUrl)).text();
  return Number(new RegExp(`^signpost_scans_total{outcome="${where}",\\S+ (\\d+)$`, 'm').exec(text)?.[1]);
};

test('with NATS down and the disk full a redirect retries and logs once a second, leaves no files behind, and recovers when there is room', async () => {
  const disk = mountSmallDisk(512);
  onTestFinished(() => disk.remove());
  const world = await createFixture({ NATS_URL: 'nats://127.0.0.1:9', SPOOL_DIR: disk.dir });
  onTestFinished(() => world.close());
  const edge = await world.server({}, 'redirect');
  const [code] = await addCodes(world.db, 1);
  const scan = async () => {
    const headers = { 'user-agent': 'Mozilla/5.0 (iPhone)' };
    const { status } = await ask({ url: `${edge.url}/${code!.id.replaceAll('-', '')}`, headers });
    expect(status).toBe(302);
  };
  const files = () =>
    readdirSync(disk.dir, { recursive: true }).filter(name => String(name).endsWith('.spool'));
  const lines = (message: string) => edge.log().split(`"msg":"${message}"`).length - 1;
  await inParallel(50, 4, scan);
  expect(await kept(edge, 'spooled')).toBe(50);

  disk.fill();
  const endMs = performance.now() + seconds * 1000;
  await inParallel(8, 8, async () => {
    while (performance.now() < endMs) await scan();
  });
  const lost = await kept(edge, 'lost');
  expect(lost).toBeGreaterThan(seconds * 20);
  // The last lines take a moment to reach the file.
  const line = { failed: lines('scan spool'), lost: lines('scans lost') };
  process.stdout.write(
    `${seconds} s: ${lost} lost, ${files().length} files, ${JSON.stringify(line)} lines\n`,
  );
  expect(files().length).toBeLessThanOrEqual(3);
  for (const count of Object.values(line)) {
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(seconds + 2);
  }

  disk.clear();
  const before = await kept(edge, 'spooled');
  await waitUntil(
    'scans are spooled again',
    async () => {
      await scan();
      return (await kept(edge, 'spooled')) > before;
    },
    { timeoutMs: 5_000 },
  );
  const lostBefore = await kept(edge, 'lost');
  await inParallel(50, 4, scan);
  expect(await kept(edge, 'lost')).toBe(lostBefore);
});
