import { setTimeout as sleep } from 'node:timers/promises';
import type { Balancer } from '@signpost/testing/balancer.ts';
import { type Answer, ask } from '@signpost/testing/client.ts';
import type { TestServer } from '@signpost/testing/server.ts';

export type World = {
  api: TestServer;
  readonly links: Balancer;
  readonly key: string;
  /** Whether a request that gets no answer is sent again, as long as the only process restarts. */
  retries: boolean;
};

export type Code = { readonly id: string; readonly short_code: string };

export async function createCode({ api, key }: World): Promise<Code> {
  const body = { name: 'x', destination_url: 'https://example.com/' };
  return (await ask({ method: 'POST', url: `${api.url}/v1/qrcodes`, key, body })).body;
}

/** `retried` requests got no answer, and were answered when they were sent again. */
export type Counts = {
  answered: number;
  failed: number;
  retried: number;
  stale: number;
  edits: number;
  refusedMs: number;
};

export const noCounts = (): Counts => ({
  answered: 0,
  failed: 0,
  retried: 0,
  stale: 0,
  edits: 0,
  refusedMs: 0,
});

const retryForMs = 30_000;

/** Follows a short link, and sends it again if it may. Null if it was not answered with a redirect. */
async function scan({ links, retries }: World, code: string, counts: Counts): Promise<Answer | null> {
  const untilMs = performance.now() + (retries ? retryForMs : 0);
  for (let attempt = 0; ; attempt++) {
    const answer = await ask({ url: `${links.url}/${code}` }).catch(() => null);
    if (answer?.status === 302) {
      counts.answered++;
      if (attempt > 0) counts.retried++;
      return answer;
    }
    if (answer !== null || performance.now() > untilMs) {
      counts.failed++;
      return null;
    }
    await sleep(50);
  }
}

/** Scans a code all the time, over the balancer. */
export async function sendScans(world: World, code: string, counts: Counts, signal: AbortSignal) {
  const lane = async () => {
    while (!signal.aborted) {
      await scan(world, code, counts);
      await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: 4 }, lane));
}

/** Edits a code, and scans it after each edit that was answered. Notes how long edits were refused at most. */
export async function editAndScan(world: World, code: Code, counts: Counts, signal: AbortSignal) {
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
    for (let n = 0; n < 3; n++) {
      const answer = await scan(world, code.short_code, counts);
      if (answer && answer.headers.location !== destination_url) counts.stale++;
    }
  }
}
