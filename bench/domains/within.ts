import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../apps/server/src/kernel/clock.ts';
import { createIds } from '../../apps/server/src/kernel/ids.ts';
import type { StopChange } from '../../apps/server/src/redirect/changes/stops/stop.ts';
import { createHosts } from '../../apps/server/src/redirect/hosts.ts';
import { LinkSnapshot } from '../../apps/server/src/redirect/links/link-snapshot.ts';
import { snapshotName } from '../../apps/server/src/redirect/links/snapshot-file.ts';
import { createStops } from '../../apps/server/src/redirect/links/stops.ts';
import { median } from '../median.ts';
import { memoryInUse } from '../memory-in-use.ts';

const own = 'go.service.example';
export const hostAt = (n: number) => `go.brand-${n}.example`;

function listChanges(count: number): StopChange[] {
  const ids = createIds(systemClock);
  return Array.from({ length: count }, (_, n) => ({
    subject: `domain/${hostAt(n)}`,
    reason: null,
    n: n + 1,
    domain: {
      account: ids.next(),
      space: `d/${n.toString(36).padStart(8, '0')}/`,
      active: true,
      root: `https://www.brand-${n}.example/`,
      notFound: `https://www.brand-${n}.example/lost`,
    },
  }));
}

const createEmptyStops = () => createStops(async () => ({ version: 0, isComplete: true, changes: [] }));

/** Bytes that a domain takes in a redirect, and the snapshot of all: its size, and the time to write and to load it. */
export async function measureMap(count: number) {
  const before = await memoryInUse();
  const stops = createEmptyStops();
  stops.restore(count, listChanges(count));
  const bytesEach = ((await memoryInUse()) - before) / count;
  const dir = mkdtempSync(join(tmpdir(), 'signpost-snapshot-'));
  const openSnapshot = (of: typeof stops) =>
    new LinkSnapshot({
      dir,
      installation: 'bench',
      links: { entries: () => [], refresh: async () => {}, restore: () => {}, changes: 1 },
      stops: of,
      clock: systemClock,
      onError(error) {
        throw error;
      },
    });
  const writer = openSnapshot(stops);
  // As a change of a domain does: otherwise nothing is to be written.
  stops.apply([{ ...listChanges(1)[0]!, n: count + 1 }]);
  const writeMs = await timed(() => writer.stop());
  const snapshotMb = statSync(join(dir, snapshotName)).size / 1e6;
  const loaded = createEmptyStops();
  const loadMs = await timed(() => openSnapshot(loaded).load());
  if (loaded.domains.size !== count) throw new Error(`${loaded.domains.size} domains were loaded`);
  rmSync(dir, { recursive: true });
  return { bytesEach, snapshotMb, writeMs, loadMs };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

const [batches, batchSize] = [300, 500];
/** Domains that are scanned at the same time: what they need stays in the caches of the processor. */
const busy = 1000;

/**
 * Nanoseconds to find what a Host header means, for the host of the service, for a
 * thousand domains, and for any of all of them, less those of the bare loop. A
 * batch is shorter than the time that another process takes the core for, so the median is of undisturbed ones.
 */
export function measureLookup(count: number) {
  const stops = createEmptyStops();
  stops.restore(count, listChanges(count));
  const trust = { isGood: () => true, epoch: 1 };
  const hosts = createHosts({
    own: [`https://${own}`],
    domains: stops.domains,
    trust,
    catchUp: async () => {},
  });
  const figures = { bare: [] as number[], own: [] as number[], busy: [] as number[], any: [] as number[] };
  let seen = 0;
  function run(among: number, host: (n: number) => string, find: (header: string) => unknown): number {
    // As the parser leaves it: a new string in each request, of which the engine knows nothing yet.
    const headers = Array.from({ length: batchSize }, () =>
      Buffer.from(host(Math.floor(Math.random() * among))).toString('latin1'),
    );
    const startMs = performance.now();
    for (let i = 0; i < batchSize; i++) if (find(headers[i]!) === null) seen++;
    return ((performance.now() - startMs) * 1e6) / batchSize;
  }
  for (let batch = 0; batch < batches; batch++) {
    figures.bare.push(run(busy, hostAt, header => header));
    figures.own.push(run(1, () => own, hosts.find));
    figures.busy.push(run(busy, hostAt, hosts.find));
  }
  for (let batch = 0; batch < batches; batch++) figures.any.push(run(count, hostAt, hosts.find));
  if (seen > 0) throw new Error('a header was not looked up');
  const bareNs = median(figures.bare);
  const above = (values: readonly number[]) => median(values) - bareNs;
  return { ownNs: above(figures.own), busyNs: above(figures.busy), anyNs: above(figures.any) };
}
