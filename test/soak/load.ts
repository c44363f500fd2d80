import { setTimeout as sleep } from 'node:timers/promises';
import { EventReader } from '@signpost/testing/events.ts';
import type { Cluster } from './cluster.ts';
import type { LoadStats } from './load-stats.ts';

/** One kind of call: how often a second, and how many requests each time. */
type Workload = { readonly perSecond: number; readonly requests: number; act(n: number): Promise<unknown> };

const phones = 40;

/** The load of a busy account: everything that people, programs and phones do, at a steady pace. */
function workloadsOf({ servers, key, webhookId, codes }: Cluster, stats: LoadStats): readonly Workload[] {
  const { api, redirect } = servers;
  const read = (path: string) => stats.ask({ url: `${api.url}${path}`, key }, 200);
  const send = (method: string, path: string, status: number, body?: unknown) =>
    stats.ask({ method, url: `${api.url}${path}`, key, ...(body === undefined ? {} : { body }) }, status);
  const codeOf = (n: number) => codes[(n * 7) % codes.length]!;
  const scan = (shortCode: string, n: number) => {
    const agent = `Mozilla/5.0 (Linux; Android 15; Phone ${n % phones}) Chrome/141.0 Mobile Safari/537.36`;
    return stats.ask({ url: `${redirect.url}/${shortCode}`, headers: { 'user-agent': agent } }, 302);
  };
  const analytics = ['', '/timeseries?interval=hour', '/scans?limit=100', '/timeseries'];
  const images = ['format=png&size=512', 'format=svg', 'format=png&size=1024', 'format=png&size=256'];

  return [
    {
      perSecond: 60,
      requests: 1,
      async act(n) {
        const { id, shortCode } = codeOf(n);
        if (await scan(shortCode, n)) stats.accept(id);
      },
    },
    { perSecond: 10, requests: 1, act: n => read(`/v1/qrcodes/${codeOf(n).id}`) },
    { perSecond: 4, requests: 1, act: n => read(`/v1/qrcodes?page=${1 + (n % 5)}`) },
    {
      perSecond: 5,
      requests: 1,
      act: n => read(`/v1/qrcodes/${codeOf(n).id}/analytics${analytics[n % analytics.length]}`),
    },
    { perSecond: 0.5, requests: 1, act: () => read('/v1/analytics/aggregate') },
    { perSecond: 0.1, requests: 1, act: n => read(`/v1/qrcodes/${codeOf(n).id}/analytics/export`) },
    {
      perSecond: 3,
      requests: 1,
      act: n => read(`/v1/qrcodes/${codeOf(n).id}/download?${images[n % images.length]}`),
    },
    { perSecond: 0.5, requests: 1, act: () => read(`/v1/webhooks/${webhookId}/deliveries`) },
    {
      perSecond: 2,
      requests: 1,
      act: n => send('PATCH', `/v1/qrcodes/${codeOf(n).id}`, 200, { name: `Renamed ${n}` }),
    },
    {
      perSecond: 3,
      requests: 5,
      // Creates and deletes a code in one go, so that the number of codes stays the same.
      async act(n) {
        const body = { name: 'Short-lived', destination_url: 'https://example.com/first' };
        const created = await send('POST', '/v1/qrcodes', 201, body);
        if (!created) return;
        const { id, short_code: shortCode } = created.body;
        await scan(shortCode, n);
        const destination = `https://example.com/second/${n}`;
        await send('PATCH', `/v1/qrcodes/${id}`, 200, { destination_url: destination });
        const second = await scan(shortCode, n);
        if (second && second.headers.location !== destination) stats.fault(`an edit of ${id} had no effect`);
        await send('DELETE', `/v1/qrcodes/${id}`, 200);
      },
    },
  ];
}

/** Keeps the pace until it is stopped and the last response has arrived. Resolves to the number of requests planned. */
export async function runLoad(cluster: Cluster, stats: LoadStats, stopping: AbortSignal): Promise<number> {
  const start = performance.now();
  const workloads = workloadsOf(cluster, stats);
  await Promise.all(workloads.flatMap(work => paced(work, stopping)));
  const seconds = (performance.now() - start) / 1000;
  return Math.round(
    workloads.reduce((sum, { perSecond, requests }) => sum + perSecond * requests, 0) * seconds,
  );
}

/** A few lanes with one call at a time: slow responses lower the rate, and calls never pile up. */
function paced({ perSecond, act }: Workload, stopping: AbortSignal): Promise<void>[] {
  const lanes = Math.ceil(perSecond / 4);
  const everyMs = (lanes * 1000) / perSecond;
  const start = performance.now();
  return Array.from({ length: lanes }, async (_, lane) => {
    for (let turn = 0; !stopping.aborted; turn++) {
      const dueAtMs = start + (turn + lane / lanes) * everyMs;
      await sleep(Math.max(0, dueAtMs - performance.now()), undefined, { signal: stopping }).catch(
        () => undefined,
      );
      if (!stopping.aborted) await act(turn * lanes + lane);
    }
  });
}

/** A browser with the dashboard open that disconnects now and then, and resumes where it stopped. */
export type LiveViewer = {
  /** The scans that were shown, by code id. */
  readonly shown: ReadonlyMap<string, ReadonlySet<string>>;
  stop(): Promise<void>;
};

export async function startLiveViewer({ servers, cookie }: Cluster, stats: LoadStats): Promise<LiveViewer> {
  const shown = new Map<string, Set<string>>();
  const stopping = new AbortController();
  let lastId = '';
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  async function open(): Promise<EventReader> {
    const headers = { cookie, ...(lastId === '' ? {} : { 'last-event-id': lastId }) };
    const reader = await EventReader.open(`${servers.api.url}/account/live`, headers);
    if (reader.response.status !== 200) stats.fault(`the live stream answers ${reader.response.status}`);
    return reader;
  }
  function take(reader: EventReader): void {
    for (const { event, data } of reader.events.splice(0)) {
      const { id, qr_id } = data as { id: string; qr_id: string };
      if (event === 'gap') stats.fault('the live stream has a gap');
      if (event !== 'scan') continue;
      const ofCode = shown.get(qr_id) ?? new Set();
      if (ofCode.has(id)) stats.fault(`the live stream shows ${id} twice`);
      shown.set(qr_id, ofCode.add(id));
    }
    lastId = reader.lastId;
  }
  async function visit(reader: EventReader): Promise<void> {
    const leaveAtMs = performance.now() + 6000;
    while (performance.now() < leaveAtMs && !stopping.signal.aborted) {
      await pause(500);
      take(reader);
      if (reader.ended) {
        stats.fault('the live stream was cut off');
        break;
      }
    }
    reader.close();
    take(reader);
  }

  async function reconnect(): Promise<void> {
    await pause(1500);
    if (!stopping.signal.aborted) await open().then(visit, error => stats.fault(`no live stream: ${error}`));
  }
  const first = await open();
  const viewing = (async () => {
    await visit(first);
    while (!stopping.signal.aborted) await reconnect();
  })();
  return {
    shown,
    async stop() {
      stopping.abort();
      await viewing;
    },
  };
}
