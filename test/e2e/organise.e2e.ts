import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestAccount } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { ask, inParallel } from '@signpost/testing/client.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createFileLog } from '@signpost/testing/file-scan-log.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { batchOf, scanOf } from '@signpost/testing/scan-ledger.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { openTestStore, type TestStore } from '@signpost/testing/test-store.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { formatId, parseId, type Uuid } from '../../apps/server/src/kernel/ids.ts';

let store: TestStore;
let world: Fixture;
let servers: readonly [TestServer, TestServer];

beforeAll(async () => {
  store = await openTestStore();
  world = await createFixture({
    REDIS_TIMEOUT_MS: '5000',
    DATABASE_TIMEOUT_MS: '60000',
    ...store.env,
  });
  servers = [await world.server(), await world.server()];
});
afterAll(async () => {
  await world?.close();
  await store?.close();
});

const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };
const urlOf = (index: number) => servers[index % 2]!.url;

test('200 parallel upserts of one external id on two processes make one code', async () => {
  const { live } = await world.account();
  for (let round = 0; round < ciScale(5, 2); round++) {
    const path = `/v1/qrcodes/ext:order-${round}`;
    const answers = await inParallel(200, 200, index =>
      ask({
        method: 'PUT',
        url: `${urlOf(index)}${path}`,
        key: live,
        body: { ...menu, name: `Menu ${index}`, tags: [`tag ${index % 3}`] },
      }),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(199);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const found = await ask({ url: `${urlOf(0)}/v1/qrcodes?search=order-${round}`, key: live });
    expect(found.body.pagination.total).toBe(1);
  }
});

test('a bulk edit of 500 codes by a filter redirects at once, on every process', async () => {
  const { live } = await world.account();
  const redirects = [await world.server({}, 'redirect'), await world.server({}, 'redirect')];
  const items = Array.from({ length: 500 }, () => ({ ...menu, tags: ['Campaign'] }));
  const made = await ask({ method: 'POST', url: `${urlOf(0)}/v1/qrcodes/bulk`, key: live, body: { items } });
  const codes: string[] = made.body.data.map(
    ({ qr_code }: { qr_code: { short_code: string } }) => qr_code.short_code,
  );
  const destinations = async () =>
    new Set(
      await inParallel(codes.length * redirects.length, 50, async index => {
        const target = `${redirects[index % 2]!.url}/${codes[Math.floor(index / 2)]}`;
        return (await fetch(target, { method: 'HEAD', redirect: 'manual' })).headers.get('location');
      }),
    );
  // Each process knows each link before the edit.
  expect(await destinations()).toEqual(new Set([menu.destination_url]));
  const edit = (expected_count: number) =>
    ask({
      method: 'PATCH',
      url: `${urlOf(1)}/v1/qrcodes/bulk`,
      key: live,
      body: {
        filter: { tag: ['campaign'] },
        expected_count,
        set: { destination_url: 'https://example.com/new' },
      },
    });
  const refused = await edit(499);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'count_changed']);
  expect(await destinations()).toEqual(new Set([menu.destination_url]));
  expect((await edit(500)).body).toMatchObject({ updated: 500, failed: 0 });
  expect(await destinations()).toEqual(new Set(['https://example.com/new']));
});

/** Reads the scans of the whole account as a program would that keeps its cursor. */
async function readFeed(owner: TestAccount, after: string | null, limit: number) {
  const query = new URLSearchParams({ limit: String(limit), ...(after === null ? {} : { after }) });
  const { status, body } = await ask({ url: `${urlOf(0)}/v1/analytics/scans?${query}`, key: owner.live });
  expect(status).toBe(200);
  return body as { data: { id: string; qr_id: string }[]; next_cursor: string; has_more: boolean };
}

const program = new URL('../../packages/testing/src/ingest-process.ts', import.meta.url).pathname;
const kills = ciScale(12, 4);

test('the feed of an account has every scan once in the order of the log, whatever is killed, late or erased', async () => {
  const owner = await world.account();
  const made = await ask({
    method: 'POST',
    url: `${urlOf(0)}/v1/qrcodes/bulk`,
    key: owner.live,
    body: { items: Array.from({ length: 6 }, () => menu) },
  });
  const codes = made.body.data.map(({ qr_code }: { qr_code: { id: string } }) => ({
    id: parseId('qr', qr_code.id)!,
    accountId: owner.id,
  }));
  const dir = mkdtempSync(join(tmpdir(), 'signpost-feed-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const log = createFileLog(dir);
  const shards = [60, 61];
  for (const shard of shards) log.create(shard);
  const start = (shard: number): ChildProcess =>
    spawn(
      process.execPath,
      [program, world.env.DATABASE_URL!, store.env.CLICKHOUSE_URL ?? '', dir, String(shard)],
      {
        stdio: 'ignore',
      },
    );
  const workers = shards.map(start);
  onTestFinished(() => {
    for (const worker of workers) worker.kill('SIGKILL');
  });

  /** Scans by shard in the order in which the log has them, and those of codes that were deleted later. */
  const written = new Map(shards.map(shard => [shard, [] as string[]]));
  const erased = new Set<string>();
  const alive = [...codes];
  const write = (shard: number, atMs: number) => {
    const scans = Array.from({ length: 1 + Math.floor(Math.random() * 8) }, () =>
      scanOf(alive[Math.floor(Math.random() * alive.length)]!, Math.floor(Math.random() * 500), { atMs }),
    );
    log.append(shard, [batchOf(...scans)]);
    written.get(shard)!.push(...scans.map(({ id, qrCodeId }) => `${formatId('scan', id)} ${qrCodeId}`));
  };

  const seen: { id: string; qr_id: string }[] = [];
  let cursor: string | null = null;
  let writing = true;
  const writer = (async () => {
    for (let n = 0; writing; n++) {
      // Now and then a spool of yesterday arrives.
      write(shards[n % 2]!, Date.now() - (n % 9 === 4 ? 24 * 60 * 60_000 : 0));
      await pause(15);
    }
  })();
  /** Whether something is still to come: a worker that was killed last needs its time to start again. */
  const isMissing = () => {
    const read = new Set(seen.map(({ id }) => id));
    const entries = [...written.values()].flat().map(entry => entry.split(' ') as [string, string]);
    return entries.some(([id, code]) => !erased.has(code) && !read.has(id));
  };
  let endsAt = Number.POSITIVE_INFINITY;
  const reader = (async () => {
    for (let quiet = 0; quiet < 5 || (isMissing() && Date.now() < endsAt); ) {
      const page = await readFeed(owner, cursor, 1 + Math.floor(Math.random() * 60));
      seen.push(...page.data);
      cursor = page.next_cursor;
      quiet = writing || page.data.length > 0 ? 0 : quiet + 1;
      if (!page.has_more) await pause(100);
    }
  })();
  for (let kill = 0; kill < kills; kill++) {
    const before = seen.length;
    await pause(1000);
    await waitUntil('more scans are read', () => seen.length > before, { timeoutMs: 60_000 });
    const which = kill % 2;
    const ended = once(workers[which]!, 'exit');
    workers[which]!.kill('SIGKILL');
    await ended;
    workers[which] = start(shards[which]!);
    // The code of the scan that the cursor stands at is erased.
    const at = seen.at(-1)?.qr_id;
    const index = alive.findIndex(({ id }) => formatId('qr', id) === at);
    if (kill % 2 === 1 && index >= 0 && alive.length > 2) {
      const [code] = alive.splice(index, 1);
      const gone = formatId('qr', code!.id);
      erased.add(code!.id);
      expect(
        (await ask({ method: 'DELETE', url: `${urlOf(1)}/v1/qrcodes/${gone}`, key: owner.live })).status,
      ).toBe(200);
    }
  }
  writing = false;
  await writer;
  endsAt = Date.now() + 60_000;
  await reader;

  const ids = seen.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(erased.size).toBeGreaterThan(0);
  for (const shard of shards) {
    const entries = written.get(shard)!.map(entry => entry.split(' ') as [string, string]);
    const order = new Map(entries.map(([id], place) => [id, place]));
    const read = ids.flatMap(id => order.get(id) ?? []);
    expect(read).toEqual(read.toSorted((a, b) => a - b));
    const missing = entries.filter(([id, code]) => !erased.has(code) && !ids.includes(id));
    expect(missing).toEqual([]);
  }
  console.log(
    `feed: ${ids.length} scans read while ingest was killed ${kills} times, ${erased.size} codes erased, none missed or repeated`,
  );
});

test('the export of an account has the scans of all codes, or of those with a tag', async () => {
  const owner = await world.account();
  const create = async (tags: string[]) =>
    (await ask({ method: 'POST', url: `${urlOf(0)}/v1/qrcodes`, key: owner.live, body: { ...menu, tags } }))
      .body.id;
  const [tagged, plain] = [await create(['Print']), await create([])];
  for (const [n, code] of [tagged, plain, plain].entries()) {
    const scan = scanOf({ id: parseId('qr', code)!, accountId: owner.id as Uuid }, n, { city: '=1+1' });
    await store.insert(world.db, scan, { shard: 70, position: n + 1 });
  }
  const read = async (query: string) =>
    await (
      await fetch(`${urlOf(0)}/v1/analytics/export?${query}`, {
        headers: { authorization: `Bearer ${owner.live}` },
      })
    ).text();
  const csv = await read('format=csv');
  expect(csv.split('\r\n')[0]).toBe(
    'id,qr_id,timestamp,country,region,city,device,browser,is_unique,language,target_id,rule_id,placement',
  );
  expect(csv.split('\r\n')).toHaveLength(5);
  // No formula survives.
  expect(csv).toContain(",'=1+1,");
  expect(csv).not.toContain(',=1+1');
  const json = JSON.parse(await read('format=json&tag=PRINT'));
  expect([json.total, json.data[0].qr_id]).toEqual([1, tagged]);
  const aggregate = await ask({ url: `${urlOf(0)}/v1/analytics/aggregate?tag=print`, key: owner.live });
  expect(aggregate.body.summary).toMatchObject({ total_scans: 1, qr_codes: 1 });
  const none = await ask({ url: `${urlOf(0)}/v1/analytics/aggregate?tag=none`, key: owner.live });
  expect(none.body.summary).toMatchObject({ total_scans: 0, qr_codes: 0 });
});
