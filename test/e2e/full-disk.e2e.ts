import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../../tools/engines/wait.ts';
import { ask, inParallel } from '../support/client.ts';
import { effort } from '../support/effort.ts';
import { addCodes } from '../support/scan-ledger.ts';
import type { TestServer } from '../support/server.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { createWorld } from '../support/world.ts';

const seconds = effort(40, 5);

const kept = async (server: TestServer, where: string) => {
  const text = await (await fetch(server.metricsUrl)).text();
  return Number(new RegExp(`^signpost_scans_total{kept="${where}",\\S+ (\\d+)$`, 'm').exec(text)?.[1]);
};

test('with NATS away and the disk full a redirect tries once a second, says so once a second, leaves no files behind, and goes on when there is room', async () => {
  const disk = mountSmallDisk(512);
  onTestFinished(() => disk.remove());
  const world = await createWorld({ NATS_URL: 'nats://127.0.0.1:9', SPOOL_DIR: disk.dir });
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
  // The last lines are on their way to the file for a moment.
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
