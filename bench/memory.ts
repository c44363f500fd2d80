import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { someLink } from '@signpost/testing/links.ts';
import autocannon from 'autocannon';
import { presentError } from '../apps/server/src/http/errors.ts';
import { createClientAddress } from '../apps/server/src/kernel/addresses/client-address.ts';
import { toLocation } from '../apps/server/src/kernel/addresses/location.ts';
import { systemClock } from '../apps/server/src/kernel/clock.ts';
import { createIds } from '../apps/server/src/kernel/ids.ts';
import { createRequestIds } from '../apps/server/src/kernel/request-ids.ts';
import { createSlidingWindows } from '../apps/server/src/limits/sliding-windows.ts';
import { createRedirectHandler } from '../apps/server/src/redirect/handler.ts';
import { createHosts } from '../apps/server/src/redirect/hosts.ts';
import { createDomainMap } from '../apps/server/src/redirect/links/domain-map.ts';
import { createKeyFilter } from '../apps/server/src/redirect/links/key-filter.ts';
import type { Link } from '../apps/server/src/redirect/links/link.ts';
import { createLinkTable } from '../apps/server/src/redirect/links/link-table.ts';
import { createLinks } from '../apps/server/src/redirect/links/links.ts';
import { createLookupGate } from '../apps/server/src/redirect/links/lookup-gate.ts';
import { createPages } from '../apps/server/src/redirect/pages.ts';
import { createResponseTimes } from '../apps/server/src/redirect/response-times.ts';
import { memoryInUse } from './memory-in-use.ts';

const codes = 1_000_000;
const longestAllowedMs = 40;
const [grownLinks, longestGrowthMs] = [4_000_000, 20];

/**
 * What a million links take in memory, and whether they ever block the event loop while they are looked up and evicted. The
 * longest pause is that of the event loop, which includes the garbage collector.
 */
export default async function bench(): Promise<void> {
  const growth = measureGrowth();
  const ids = createIds(systemClock);
  const find = async (code: string): Promise<Link> =>
    someLink({
      qrCodeId: ids.next(),
      accountId: ids.next(),
      location: toLocation(`https://example.com/a/usual/path/${code}`),
    });
  const links = createLinks({
    lookups: { find, isQueued: () => false },
    watch: {
      silentMs: () => 0,
      mayRecover: async () => true,
      resetSilence: () => undefined,
      onSilence: () => () => undefined,
    },
    gate: createLookupGate(),
    filter: createKeyFilter(),
    trust: { epoch: 1, term: 1, isGood: () => true },
    maxLinks: codes,
    maxUnknown: 1000,
    unknownMs: 1000,
    silenceMs: 120,
    lookupTimeoutMs: 2000,
    staleLinks: 'serve',
    clock: systemClock,
    onLookupError: () => {},
  });
  const before = await memoryInUse();
  for (let i = 0; i < codes; i++) await links.lookUp(`code-${i}`, { block: '', isGuessing: false });
  const bytesPerLink = ((await memoryInUse()) - before) / codes;
  const domains = createDomainMap();
  const trust = { isGood: () => true, epoch: 1 };
  const handler = createRedirectHandler({
    links,
    stops: { reasonFor: () => null, domains },
    hosts: createHosts({ own: ['127.0.0.1'], domains, trust, catchUp: async () => undefined }),
    unknownHosts: 'default',
    onUnknownHost: () => {},
    staleLinks: 'serve',
    recorder: {
      record: () => false,
      createScanner: () => unrouted(),
      recordRouted: () => unrouted(),
    },
    clock: systemClock,
    clientAddress: createClientAddress([]),
    unknownCodes: createSlidingWindows({ windowMs: 60_000, maxKeys: 1000 }),
    unknownCodesPerMinute: 1_000_000_000,
    previews: {
      take: () => false,
      lookUp: async () => 'none',
      present: () => ({ headers: {}, body: '' }),
    },
    onPage: () => {},
    onNotRedirected: () => {},
    times: createResponseTimes([200, 302, 404]),
    onError: error => {
      throw error;
    },
    pages: createPages((error, id) => presentError(error, id, 'https://example.com')),
    nextRequestId: createRequestIds(systemClock),
  });
  const server = createServer(handler);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  // One in ten is new and evicts the oldest.
  const requests = Array.from({ length: 5000 }, (_, i) => ({
    path: i % 10 === 0 ? `/fresh-${i}-${Math.random().toString(36).slice(2)}` : `/code-${(i * 7919) % codes}`,
  }));
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    requests,
    connections: 16,
    duration: 10,
    workers: 1,
  });
  delay.disable();
  server.closeAllConnections();
  server.close();
  const longestMs = delay.max / 1e6;
  const rssMb = process.memoryUsage.rss() / 1024 / 1024;
  console.log(
    `memory codes ${links.size} requests ${result.requests.total} bytes_per_link ${bytesPerLink.toFixed(0)} longest_pause_ms ${longestMs.toFixed(0)} rss_mb ${rssMb.toFixed(0)} grown_links ${grownLinks} longest_growth_ms ${growth.longestMs.toFixed(1)} grown_bytes_per_link ${growth.bytesPerLink.toFixed(0)}`,
  );
  if (longestMs > longestAllowedMs || growth.longestMs > longestGrowthMs) process.exitCode = 1;
}

/** The most CPU time of this thread that one more link takes while the table grows: nothing else runs meanwhile. */
function measureGrowth(): { readonly longestMs: number; readonly bytesPerLink: number } {
  const table = createLinkTable();
  const link = someLink({ location: toLocation('https://example.com/a/usual/path/code') });
  let longestUs = 0;
  for (let n = 0; n < grownLinks; n++) {
    const before = process.threadCpuUsage();
    table.set(`code-${n}`, link, { epoch: 1, sequence: n, confirmedAtMs: 0 });
    const { user, system } = process.threadCpuUsage(before);
    longestUs = Math.max(longestUs, user + system);
  }
  return { longestMs: longestUs / 1000, bytesPerLink: table.bytes / grownLinks };
}

function unrouted(): never {
  throw new Error('No link of this bench has routing');
}
