import { readdirSync } from 'node:fs';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { addCodes, type Code, countedIn } from '@signpost/testing/scan-ledger.ts';
import { metricValue, scrape } from '@signpost/testing/scrape.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { mountSmallDisk, type SmallDisk } from '@signpost/testing/small-disk.ts';
import { createSoloFixture, type SoloFixture } from '@signpost/testing/solo.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readSpoolContents } from '../../apps/server/src/scans/spool/contents.ts';

const seconds = ciScale(60, 3);
/** About 9,000 scans fit into a megabyte. */
const memoryMb = ciScale(5, 1);

const outcome = async (server: TestServer, kind: string) =>
  metricValue(await scrape(server.metricsUrl), 'signpost_scans_total', `outcome="${kind}"`);
const gauge = async (server: TestServer, name: string) =>
  metricValue(await scrape(server.metricsUrl), `signpost_${name}`);
/** A round of checks is reused for a second. */
const isReady = (server: TestServer, scans: 'ok' | 'in_memory') =>
  expect
    .poll(async () => (await ask({ url: server.readyUrl })).body)
    .toMatchObject({ status: 'ready', scans });

/** Phones that scan one code without a pause; every one of them must be sent on. */
function startScanning(server: TestServer, { id }: Code, phones = 8) {
  const url = `${server.url}/${id.replaceAll('-', '')}`;
  const headers = { 'user-agent': 'Mozilla/5.0 (iPhone)' };
  let answered = 0;
  let isDone = false;
  const scanning = Promise.all(
    Array.from({ length: phones }, async () => {
      while (!isDone) {
        expect((await ask({ url, headers })).status).toBe(302);
        answered++;
      }
    }),
  );
  const stop = async () => {
    isDone = true;
    await scanning;
    return answered;
  };
  // A test that fails leaves nobody who waits for them.
  scanning.catch(() => undefined);
  onTestFinished(() => void stop().catch(() => undefined));
  return stop;
}

const passed = async (forSeconds: number) => {
  const endMs = performance.now() + forSeconds * 1000;
  await waitUntil('the time is over', () => performance.now() >= endMs, { timeoutMs: 2_000 * forSeconds });
};

const storedAgain = (server: TestServer) =>
  waitUntil('no scan is in memory only', async () => (await gauge(server, 'scans_in_memory')) === 0);

test('with NATS down and the disk full a redirect tries and logs once a second, leaves no files behind, and loses exactly what it says', async () => {
  const disk = mountSmallDisk(8 * 1024);
  onTestFinished(() => disk.remove());
  const world = await createFixture({
    NATS_URL: 'nats://127.0.0.1:9',
    SPOOL_DIR: disk.dir,
    SPOOL_MEMORY_MB: '1',
  });
  onTestFinished(() => world.close());
  const edge = await world.server({}, 'redirect');
  const [code] = await addCodes(world.db, 1);
  const files = () =>
    readdirSync(disk.dir, { recursive: true }).filter(name => String(name).endsWith('.spool'));
  const lines = (message: string) => edge.log().split(`"msg":"${message}"`).length - 1;
  const stopScanning = startScanning(edge, code!);
  await waitUntil('scans are spooled', async () => (await outcome(edge, 'spooled')) > 50);

  const startedMs = performance.now();
  disk.fill();
  await waitUntil('memory is full', async () => (await outcome(edge, 'lost')) > 500);
  await waitUntil('it is tried several times', () => lines('scan spool') >= ciScale(20, 3));
  await isReady(edge, 'in_memory');
  const fullSeconds = (performance.now() - startedMs) / 1000;
  const count = { failed: lines('scan spool'), lost: lines('scans lost') };
  process.stdout.write(
    `redirect, ${fullSeconds.toFixed(0)} s: ${await outcome(edge, 'held')} held, ${await outcome(edge, 'lost')} lost, ${files().length} files, ${JSON.stringify(count)} lines\n`,
  );
  expect(files().length).toBeLessThanOrEqual(3);
  for (const logged of Object.values(count)) {
    expect(logged).toBeGreaterThan(0);
    expect(logged).toBeLessThanOrEqual(fullSeconds + 2);
  }

  disk.clear();
  const spooled = await outcome(edge, 'spooled');
  await waitUntil('scans are spooled again', async () => (await outcome(edge, 'spooled')) > spooled, {
    timeoutMs: 5_000,
  });
  const answered = await stopScanning();
  await storedAgain(edge);
  await isReady(edge, 'ok');
  const lost = await outcome(edge, 'lost');
  expect((await readSpoolContents(disk.dir)).scans).toBe(answered - lost);
});

let solo: SoloFixture;

beforeAll(async () => {
  solo = await createSoloFixture();
});
afterAll(() => solo?.close());

type Running = { readonly server: TestServer; readonly code: Code; readonly disk: SmallDisk };

/** A `signpost solo` with its scan log on a small disk of its own, and a code. */
async function startSolo(sizeKb: number, settings: Record<string, string>): Promise<Running> {
  const disk = mountSmallDisk(sizeKb);
  const server = await solo.fixture.server({ SPOOL_DIR: disk.dir, ...settings }, 'solo');
  onTestFinished(async () => {
    await server.end('SIGTERM');
    disk.remove();
  });
  const [code] = await addCodes(solo.fixture.db, 1);
  return { server, code: code!, disk };
}

const counted = async ({ id }: Code) => (await countedIn(solo.fixture.db))[id]?.total ?? 0;

test('solo whose disk is full under load goes on redirecting, first on its reserve, then in memory, and counts every scan once there is room', async () => {
  const { server, code, disk } = await startSolo(24 * 1024, { SPOOL_MAX_MB: '16' });
  await waitUntil('there is a reserve', async () => (await gauge(server, 'spool_reserve_bytes')) > 0);
  const stopScanning = startScanning(server, code);
  await waitUntil('scans are logged', async () => (await outcome(server, 'logged')) > 50);
  await isReady(server, 'ok');

  disk.fill();
  await waitUntil('the reserve is used', async () => (await gauge(server, 'spool_reserve_bytes')) === 0);
  const logged = await outcome(server, 'logged');
  await waitUntil('it holds scans', async () => (await outcome(server, 'logged')) > logged + 50);
  disk.fill();
  await waitUntil('scans are in memory', async () => (await gauge(server, 'scans_in_memory')) > 0);
  await isReady(server, 'in_memory');
  await passed(seconds);
  const inMemory = await gauge(server, 'scans_in_memory');
  disk.clear();
  await storedAgain(server);
  const answered = await stopScanning();
  await storedAgain(server);

  await waitUntil('every answered scan is counted', async () => (await counted(code)) >= answered);
  expect([await counted(code), await outcome(server, 'lost')]).toEqual([answered, 0]);
  await waitUntil('there is a reserve', async () => (await gauge(server, 'spool_reserve_bytes')) > 0);
  await isReady(server, 'ok');
  process.stdout.write(
    `solo, ${seconds} s: answered ${answered} counted ${await counted(code)} lost 0 in memory at the end ${inMemory}\n`,
  );
});

test('beyond the memory for scans solo loses exactly what the metric says, and it starts on a full disk', async () => {
  const { server, code, disk } = await startSolo(24 * 1024, {
    SPOOL_MAX_MB: '16',
    SPOOL_MEMORY_MB: String(memoryMb),
  });
  const stopScanning = startScanning(server, code);
  await waitUntil('scans are logged', async () => (await outcome(server, 'logged')) > 50);
  await waitUntil('memory is full', async () => {
    disk.fill();
    return (await outcome(server, 'lost')) > 500;
  });
  disk.clear();
  await storedAgain(server);
  const answered = await stopScanning();
  await storedAgain(server);
  const lost = await outcome(server, 'lost');
  await waitUntil('the rest is counted', async () => (await counted(code)) >= answered - lost);
  process.stdout.write(
    `solo, ${memoryMb} MB: answered ${answered} counted ${await counted(code)} lost ${lost}\n`,
  );
  expect(await counted(code)).toBe(answered - lost);

  disk.fill();
  await server.end('SIGKILL');
  await server.start();
  const stopAgain = startScanning(server, code, 1);
  await waitUntil('scans are in memory', async () => {
    disk.fill();
    return (await gauge(server, 'scans_in_memory')) > 0;
  });
  disk.clear();
  const answeredAfter = await stopAgain();
  await storedAgain(server);
  await waitUntil('they are counted', async () => (await counted(code)) >= answered - lost + answeredAfter);
});

test('with the smallest SPOOL_MAX_MB a log that filled up while PostgreSQL was frozen empties by itself', async () => {
  const { server, code } = await startSolo(64 * 1024, { SPOOL_MAX_MB: '1' });
  // Each of them waits for PostgreSQL while that is frozen.
  const stopScanning = startScanning(server, code, 60);
  await waitUntil('scans are counted', async () => (await counted(code)) > 50);
  solo.postgres.freeze();
  let answered: number;
  try {
    await waitUntil('the log is full', async () => (await gauge(server, 'scans_in_memory')) > 500);
    answered = await stopScanning();
  } finally {
    solo.postgres.thaw();
  }
  await waitUntil('every answered scan is counted', async () => (await counted(code)) >= answered);
  expect([await counted(code), await outcome(server, 'lost')]).toEqual([answered, 0]);
  process.stdout.write(`solo, 1 MB, PostgreSQL frozen: answered ${answered} counted ${answered} lost 0\n`);
});

test('with PostgreSQL on the same disk short links are served while it is full, and every answered scan is counted after it', async () => {
  const disk = mountSmallDisk(256 * 1024);
  onTestFinished(() => disk.remove());
  const box = await createSoloFixture({ SPOOL_MAX_MB: '16' }, disk.dir);
  onTestFinished(() => box.close());
  const server = await box.fixture.server({}, 'solo');
  const [code] = await addCodes(box.fixture.db, 1);
  const countedHere = async () => (await countedIn(box.fixture.db))[code!.id]?.total ?? 0;
  const stopScanning = startScanning(server, code!);
  await waitUntil('scans are counted', async () => (await countedHere()) > 50);
  await waitUntil('scans are in memory', async () => {
    disk.fill();
    return (await gauge(server, 'scans_in_memory')) > 500;
  });
  await passed(ciScale(20, 2));
  disk.clear();
  await storedAgain(server);
  const answered = await stopScanning();
  await storedAgain(server);
  if (!box.postgres.running) await box.postgres.start();
  await waitUntil('every answered scan is counted', async () => (await countedHere()) >= answered);
  expect([await countedHere(), await outcome(server, 'lost')]).toEqual([answered, 0]);
  process.stdout.write(`solo beside PostgreSQL: answered ${answered} counted ${answered} lost 0\n`);
});
