import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Balancer, startBalancer } from '@signpost/testing/balancer.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import { createEmptyDatabase } from '@signpost/testing/database.ts';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { startReceiver } from '@signpost/testing/receiver.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { createSoloFixture } from '@signpost/testing/solo.ts';
import { expect, test } from 'vitest';

/** A start takes long on a busy machine, and writes are refused until `all` has started. */
const maxRefusedMs = ciScale(10_000, 300_000);

/** Several minutes on a busy machine: CI leaves it out. */
const isWanted = process.env.CI === undefined || process.env.GROW === '1';

test.runIf(isWanted)(
  'from solo to all with a redirect, and on to roles with a ClickHouse server, under load: no scan is lost or counted twice, no redirect fails or is out of date',
  async () => {
    const solo = await createSoloFixture({ WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32' });
    const [redis, nats, receiver] = await Promise.all([startRedis(), startNats(), startReceiver()]);
    const first = await solo.fixture.server({}, 'solo');
    const { live: key } = await solo.fixture.account();
    const links = await startBalancer([first.url]);
    const world = { api: first, links, key };
    const webhook = { url: `${receiver.url}/hook` };
    expect((await ask({ method: 'POST', url: `${first.url}/v1/webhooks`, key, body: webhook })).status).toBe(
      201,
    );
    const [scanned, edited] = [await createCode(world), await createCode(world)];

    const stopping = new AbortController();
    const scanning = sendScans(world, scanned.short_code, stopping.signal);
    const edits = { edits: 0, scans: 0, failed: 0, stale: 0, refusedMs: 0 };
    const editing = editAndScan(world, edited, edits, stopping.signal);
    await sleep(2_000);

    const shared = { REDIS_URL: redis.url, NATS_URL: nats.url };
    const spool = mkdtempSync(join(tmpdir(), 'signpost-spool-'));
    const redirect = await solo.fixture.server({ ...shared, SPOOL_DIR: spool }, 'redirect');
    links.add(redirect.url);
    await sleep(1_000);
    await links.remove(first.url);
    await first.end('SIGTERM');
    world.api = await solo.fixture.server(shared, 'all');
    links.add(world.api.url);
    await sleep(3_000);
    // What solo left of its log is in NATS by then.
    await waitUntil('the spool is empty', () => hasEmptySpool(world.api));
    const toAllMs = edits.refusedMs;
    console.log(`grow to all: refused_ms ${toAllMs.toFixed(0)}`);
    edits.refusedMs = 0;

    // The second step. The redirect serves the links until those of the new database take over, and only then may edits be made.
    await links.remove(world.api.url);
    await world.api.end('SIGTERM');
    // Without the API nobody writes; what was counted is stored, which the backup waits for.
    const counting = await solo.fixture.server(shared, 'ingest');
    const backup = join(mkdtempSync(join(tmpdir(), 'signpost-grow-')), 'backup');
    await mustRun(['backup', backup], { ...solo.fixture.env, ...shared });
    expect(await counting.end('SIGTERM')).toBe(0);
    const clickhouse = await startClickHouse();
    const roles = {
      ...shared,
      DATABASE_URL: await createEmptyDatabase(solo.postgres.url),
      CLICKHOUSE_URL: clickhouse.url,
      SPOOL_DIR: mkdtempSync(join(tmpdir(), 'signpost-spool-')),
    };
    await mustRun(['restore', backup], { ...solo.fixture.env, ...roles });
    const edge = await solo.fixture.server(roles, 'redirect');
    links.add(edge.url);
    await links.remove(redirect.url);
    expect(await redirect.end('SIGTERM')).toBe(0);
    const [api] = await Promise.all([
      solo.fixture.server(roles, 'api'),
      solo.fixture.server(roles, 'ingest'),
      solo.fixture.server(roles, 'deliver'),
    ]);
    world.api = api;
    await sleep(3_000);
    stopping.abort();

    const scans = await scanning;
    await editing;
    const answered = { [scanned.id]: scans.answered, [edited.id]: edits.scans };
    await waitUntil('every scan is counted', async () =>
      sameCounts(await countsOf(world, answered), answered),
    );
    // And no more than once: whatever is still sent from the disk has arrived by then.
    await waitUntil('the spool is empty', () => hasEmptySpool(edge));
    await sleep(1_000);
    const counted = await countsOf(world, answered);
    const total = scans.answered + edits.scans;
    await waitUntil('every webhook arrives', () => idsOf(receiver.arrivals).size === total);
    console.log(
      `grow scans ${total} failed ${scans.failed + edits.failed} edits ${edits.edits} stale ${edits.stale} refused_ms ${toAllMs.toFixed(0)} then ${edits.refusedMs.toFixed(0)} counted ${Object.values(counted).join('+')}`,
    );
    expect([scans.failed, edits.failed, edits.stale]).toEqual([0, 0, 0]);
    expect(counted).toEqual(answered);
    expect(edits.edits).toBeGreaterThan(5);
    expect(toAllMs).toBeLessThanOrEqual(maxRefusedMs);
    links.close();
    await receiver.close();
    await solo.close();
    await Promise.all([redis.remove(), nats.remove(), clickhouse.remove()]);
  },
);

type World = { api: TestServer; readonly links: Balancer; readonly key: string };
type Code = { readonly id: string; readonly short_code: string };

async function createCode({ api, key }: World): Promise<Code> {
  const body = { name: 'x', destination_url: 'https://example.com/' };
  return (await ask({ method: 'POST', url: `${api.url}/v1/qrcodes`, key, body })).body;
}

/** Scans a code all the time, over the balancer. */
async function sendScans({ links }: World, code: string, signal: AbortSignal) {
  const counts = { answered: 0, failed: 0 };
  const lane = async () => {
    while (!signal.aborted) {
      const status = await ask({ url: `${links.url}/${code}` }).then(
        answer => answer.status,
        () => 0,
      );
      if (status === 302) counts.answered++;
      else counts.failed++;
      await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: 4 }, lane));
  return counts;
}

async function mustRun(args: readonly string[], env: Record<string, string>): Promise<void> {
  const { code, output } = await runCommand(args, env);
  if (code !== 0) throw new Error(`signpost ${args.join(' ')} ended with ${code}: ${output}`);
}

type EditCounts = { edits: number; scans: number; failed: number; stale: number; refusedMs: number };

/** Edits a code, and scans it after each edit that was answered. Notes how long edits were refused at most. */
async function editAndScan(world: World, code: Code, counts: EditCounts, signal: AbortSignal): Promise<void> {
  let editedMs = performance.now();
  for (let n = 0; !signal.aborted; n++) {
    const destination_url = `https://example.com/${n}`;
    const url = `${world.api.url}/v1/qrcodes/${code.id}`;
    const status = await ask({ method: 'PATCH', url, key: world.key, body: { destination_url } }).then(
      answer => answer.status,
      () => 0,
    );
    if (status !== 200) {
      await sleep(50);
      continue;
    }
    counts.edits++;
    counts.refusedMs = Math.max(counts.refusedMs, performance.now() - editedMs);
    editedMs = performance.now();
    for (let scan = 0; scan < 3; scan++) {
      const answer = await ask({ url: `${world.links.url}/${code.short_code}` }).catch(() => null);
      if (answer?.status !== 302) counts.failed++;
      else counts.scans++;
      if (answer?.status === 302 && answer.headers.location !== destination_url) counts.stale++;
    }
  }
}

const hasEmptySpool = async ({ metricsUrl }: TestServer) =>
  /^signpost_spool_segments\{?.*\}? 0$/m.test(String((await ask({ url: metricsUrl })).body));

async function countsOf({ api, key }: World, codes: Readonly<Record<string, number>>) {
  const entries = Object.keys(codes).map(async id => {
    const { body } = await ask({ url: `${api.url}/v1/qrcodes/${id}/analytics`, key });
    return [id, Number(body.summary?.total_scans)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

const sameCounts = (a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>) =>
  Object.keys(b).every(id => a[id] === b[id]);

const idsOf = (arrivals: readonly { readonly id: string }[]) => new Set(arrivals.map(({ id }) => id));
