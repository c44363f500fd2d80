import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Balancer, startBalancer } from '@signpost/testing/balancer.ts';
import { isFullSize } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { startReceiver } from '@signpost/testing/receiver.ts';
import type { TestServer } from '@signpost/testing/server.ts';
import { createSoloFixture } from '@signpost/testing/solo.ts';
import { expect, test } from 'vitest';

/** Writes are refused until `all` has started. */
const maxRefusedMs = 10_000;

// It takes several minutes on a busy machine.
test.runIf(isFullSize)(
  'from solo to all with a redirect, and on to roles, under load: no scan is lost or counted twice, no redirect fails or is out of date',
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

    // The second step: the roles apart, on the same database. The redirect serves the links meanwhile.
    await links.remove(world.api.url);
    await world.api.end('SIGTERM');
    const [api] = await Promise.all([
      solo.fixture.server(shared, 'api'),
      solo.fixture.server(shared, 'ingest'),
      solo.fixture.server(shared, 'deliver'),
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
    await waitUntil('the spool is empty', () => hasEmptySpool(redirect));
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
    await Promise.all([redis.remove(), nats.remove()]);
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
