import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import autocannon from 'autocannon';
import { presentError } from '../../apps/server/src/http/errors.ts';
import { createClientAddress } from '../../apps/server/src/kernel/client-address.ts';
import { systemClock } from '../../apps/server/src/kernel/clock.ts';
import { createIds } from '../../apps/server/src/kernel/ids.ts';
import { createRequestIds } from '../../apps/server/src/kernel/request-ids.ts';
import { createSlidingWindows } from '../../apps/server/src/kernel/sliding-windows.ts';
import { createAnswerTimes } from '../../apps/server/src/redirect/answer-times.ts';
import { createRedirectHandler } from '../../apps/server/src/redirect/handler.ts';
import { createKeyFilter } from '../../apps/server/src/redirect/key-filter.ts';
import { type Link, toLocation } from '../../apps/server/src/redirect/link.ts';
import { createLinks } from '../../apps/server/src/redirect/links.ts';
import { createLookUpGate } from '../../apps/server/src/redirect/look-up-gate.ts';
import { createPages } from '../../apps/server/src/redirect/pages.ts';

const codes = 1_000_000;
const longestAllowedMs = 50;

/** Whether a million codes in memory ever hold the event loop up, while they are asked for and exchanged for others. */
export default async function bench(): Promise<void> {
  const ids = createIds(systemClock);
  const find = async (code: string): Promise<Link> => ({
    qrCodeId: ids.next(),
    accountId: ids.next(),
    mode: 'live',
    status: 'active',
    suspended: false,
    location: toLocation(`https://example.com/a/usual/path/${code}`),
    host: 'example.com',
  });
  const links = createLinks({
    lookUps: { find, isQueued: () => false },
    watch: {
      silentMs: () => 0,
      mayReturn: async () => true,
      wake: () => undefined,
      afterSilence: () => () => undefined,
    },
    gate: createLookUpGate(),
    filter: createKeyFilter(),
    lease: { epoch: 1, isGood: () => true },
    maxLinks: codes,
    maxUnknown: 1000,
    unknownMs: 1000,
    silenceMs: 120,
    lookUpMs: 2000,
    staleLinks: 'serve',
    clock: systemClock,
    onAway: () => {},
  });
  for (let i = 0; i < codes; i++) await links.look(`code-${i}`, { block: '', isGuessing: false });
  const handler = createRedirectHandler({
    links,
    stops: { of: () => null },
    recorder: { record: () => null },
    clientAddress: createClientAddress([]),
    misses: createSlidingWindows({ windowMs: 60_000, maxKeys: 1000 }),
    missesPerMinute: 1_000_000_000,
    previews: {
      take: () => false,
      look: async () => 'none',
      present: () => ({ headers: {}, body: '' }),
    },
    onPage: () => {},
    times: createAnswerTimes([200, 302, 404]),
    onFault: error => {
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
  // One in ten is new, and pushes the oldest out.
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
    `memory codes ${links.size} requests ${result.requests.total} longest_stall_ms ${longestMs.toFixed(0)} rss_mb ${rssMb.toFixed(0)}`,
  );
  if (longestMs > longestAllowedMs) process.exitCode = 1;
}
