import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, inParallel } from '@signpost/testing/client.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { addCodes, batchOf, type Code, countedIn, scanOf } from '@signpost/testing/scan-ledger.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { mountSmallDisk } from '@signpost/testing/small-disk.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../apps/server/src/kernel/clock.ts';
import { createNats } from '../../apps/server/src/platform/nats/nats.ts';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import { encodeBatch } from '../../apps/server/src/scans/log/format/batch.ts';
import { createScanLog } from '../../apps/server/src/scans/log/scan-log.ts';
import { openSpool } from '../../apps/server/src/scans/spool/spool.ts';

const main = new URL('../../apps/server/src/main.ts', import.meta.url).pathname;

let nats: Engine;
let fixture: Fixture;
let ingest: TestServer;
let code: Code;
/** What was answered until now: all of it must be counted, once. */
let answered = 0;

beforeAll(async () => {
  nats = await startNats();
  fixture = await createFixture({ NATS_URL: nats.url });
  await runCommand(['migrate'], fixture.env);
  ingest = await fixture.server({}, 'ingest');
  [code] = (await addCodes(fixture.db, 1)) as [Code];
});
afterAll(async () => {
  await fixture?.close();
  await nats?.remove();
});

const newDir = () => mkdtempSync(join(tmpdir(), 'signpost-spool-'));

async function scan(edge: TestServer, count: number): Promise<void> {
  const url = `${edge.url}/${code.id.replaceAll('-', '')}`;
  const headers = { 'user-agent': 'Mozilla/5.0 (iPhone)' };
  await inParallel(count, 8, async () => expect((await ask({ url, headers })).status).toBe(302));
  answered += count;
}

async function metric(server: TestServer, name: string, labels = ''): Promise<number> {
  const text = await (await fetch(server.metricsUrl)).text();
  const line = text.split('\n').find(one => one.startsWith(`${name}{`) && one.includes(labels));
  return Number(line?.split(' ').at(-1) ?? Number.NaN);
}

const counted = async () => (await countedIn(fixture.db))[code.id]?.total ?? 0;
const allCounted = () => waitUntil('every scan is counted', async () => (await counted()) === answered);
const files = (dir: string) =>
  readdirSync(dir, { recursive: true }).filter(name => String(name).endsWith('.spool'));
const rows = () => fixture.db.query(sql('test-spools-left', 'select * from spools_left'));
const spool = (command: string, dir: string) => runCommand(['spool', command, '--dir', dir], fixture.env);

test('a redirect that is told to stop sends on what it has spooled before it ends', async () => {
  const dir = newDir();
  const edge = await fixture.server({ SPOOL_DIR: dir }, 'redirect');
  await scan(edge, 5);
  await nats.kill('SIGKILL');
  await scan(edge, 40);
  // Stopped, it cannot send them on before it is told to end.
  edge.kill('SIGSTOP');
  await nats.start();
  const ending = edge.end('SIGTERM');
  edge.kill('SIGCONT');
  expect(await ending).toBe(0);
  expect(files(dir)).toEqual([]);
  expect(edge.log()).not.toContain('scans are left on the disk');
  expect(await rows()).toEqual([]);
  await allCounted();
});

test('what a redirect leaves while NATS is away is said, told and listed until a command has sent it on; each scan counts once', async () => {
  const dir = newDir();
  const edge = await fixture.server({ SPOOL_DIR: dir }, 'redirect');
  await scan(edge, 1);
  await nats.kill('SIGKILL');
  await scan(edge, 30);
  const refused = await spool('drain', dir);
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining(`is using ${dir}`) });
  expect(await edge.end('SIGTERM')).toBe(0);

  const line = edge
    .log()
    .split('\n')
    .find(one => one.includes('scans are left on the disk'))!;
  expect(JSON.parse(line)).toMatchObject({
    scans: 30,
    directory: dir,
    recorded: true,
    next: `signpost spool drain --dir ${dir}`,
  });
  expect(await rows()).toMatchObject([{ directory: dir, scans: 30 }]);
  await waitUntil('ingest tells', async () => (await metric(ingest, 'signpost_spools_left')) === 1);
  expect(await metric(ingest, 'signpost_spool_left_scans', `directory="${dir}"`)).toBe(30);
  const [shown, doctor, away] = await Promise.all([
    spool('show', dir),
    runCommand(['doctor', '--json'], fixture.env),
    spool('drain', dir),
  ]);
  expect(shown).toMatchObject({ code: 0, output: expect.stringMatching(/: 30 scans in \d+ files/) });
  expect(JSON.parse(doctor.output)).toContainEqual(
    expect.objectContaining({ check: 'spools left', state: 'warning', found: expect.stringContaining(dir) }),
  );
  expect(away).toMatchObject({
    code: 1,
    output: expect.stringMatching(/NATS does not answer.* 30 scans stay/),
  });
  expect(files(dir)).not.toEqual([]);

  await nats.start();
  const drained = await spool('drain', dir);
  expect(drained.output.trim().split('\n').at(-1)).toMatch(/^spool drain: \d+ batches, 30 scans, 0 left$/);
  expect(drained.code).toBe(0);
  expect(files(dir)).toEqual([]);
  expect(await rows()).toEqual([]);
  await waitUntil('ingest tells', async () => (await metric(ingest, 'signpost_spools_left')) === 0);
  expect(await spool('drain', dir)).toEqual({ code: 0, output: 'spool drain: 0 batches, 0 scans, 0 left\n' });
  await allCounted();
});

test('a redirect on a directory that was left sends on what is in it, and the alert has an end', async () => {
  const dir = newDir();
  const edge = await fixture.server({ SPOOL_DIR: dir }, 'redirect');
  await nats.kill('SIGKILL');
  await scan(edge, 10);
  await edge.end('SIGTERM');
  expect(await rows()).toHaveLength(1);
  await nats.start();
  await edge.start();
  await waitUntil('the row is gone', async () => (await rows()).length === 0);
  await allCounted();
});

test('a drain that is killed in the middle and run again counts every scan once', async () => {
  const dir = newDir();
  const left = await openSpool({ dir, maxBytes: 1e9, clock: systemClock, segmentBytes: 1 });
  for (let file = 0; file < 150; file++) {
    const batches = Array.from({ length: 20 }, (_, n) => encodeBatch(batchOf(scanOf(code, n))));
    await Promise.all(batches.map(batch => left.append(batch)));
  }
  await left.close();
  answered += 3_000;
  const whole = files(dir).length;
  const client = createNats(nats.url);
  onTestFinished(() => client.close());
  await client.whenConnected(AbortSignal.timeout(10_000));
  const log = createScanLog({ nats: client });
  // The first redirect makes the log; run alone, this test begins without one.
  const before = await log.lastPosition(0).catch(() => 0);
  const child = spawn(process.execPath, [main, 'spool', 'drain', '--dir', dir], {
    env: { PATH: process.env.PATH, ...fixture.env },
    stdio: 'ignore',
  });
  await waitUntil('some are sent', async () => (await log.lastPosition(0)) > before + 300, { everyMs: 1 });
  child.kill('SIGKILL');
  await once(child, 'exit');
  const rest = files(dir).length;
  expect(rest).toBeGreaterThan(0);
  expect(rest).toBeLessThan(whole);
  const again = await spool('drain', dir);
  const [, sent] = /(\d+) scans, 0 left$/.exec(again.output.trim())!;
  process.stdout.write(`killed with ${rest} of ${whole} files left; sent then: ${sent} of 3000\n`);
  await allCounted();
});

test('the room on the disk of the spool is told: below what the spool may still need, and above again', async () => {
  const disk = mountSmallDisk(4_096);
  onTestFinished(() => disk.remove());
  const edge = await fixture.server({ SPOOL_DIR: disk.dir, SPOOL_MAX_MB: '2' }, 'redirect');
  const isLow = async () => {
    const [free, limit, used] = await Promise.all(
      ['signpost_spool_disk_free_bytes', 'signpost_spool_limit_bytes', 'signpost_spool_bytes'].map(name =>
        metric(edge, name),
      ),
    );
    expect(Number.isNaN(free)).toBe(false);
    return free! < limit! - used!;
  };
  expect(await isLow()).toBe(false);
  disk.fill();
  await waitUntil('the disk is low', isLow);
  disk.clear();
  await waitUntil('there is room again', async () => !(await isLow()));
});
