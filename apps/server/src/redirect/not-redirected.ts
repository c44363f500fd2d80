import type { Clock } from '../kernel/clock.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import { poll } from '../platform/background-jobs.ts';
import type { Nats } from '../platform/nats.ts';
import {
  type NotRedirectedBatch,
  type NotRedirectedCount,
  type NotRedirectedReason,
  notRedirectedSubject,
  storedReply,
} from '../scans/not-redirected.ts';

/** Adds up requests that were not redirected, and hands them over to ingest. A kill loses those of the last seconds. */
export type NotRedirectedCounter = {
  add(qrCodeId: Uuid, reason: NotRedirectedReason): void;
  /** Hands over what is left. */
  stop(): Promise<void>;
};

type Options = {
  readonly nats: Pick<Nats, 'connection'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly everyMs?: number;
};

const replyTimeoutMs = 2_000;
const countsPerBatch = 1_000;
/** Codes, days and reasons that are held; more are not counted until these are handed over. */
const maxHeld = 100_000;

export function createNotRedirectedCounter({
  nats,
  clock,
  ids,
  everyMs = 5_000,
}: Options): NotRedirectedCounter {
  let held = new Map<string, NotRedirectedCount>();
  /** Handed over without a reply so far. They are sent again as they are. */
  let unconfirmed: NotRedirectedBatch[] = [];

  async function handOver(): Promise<void> {
    const counts = [...held.values()];
    held = new Map();
    for (let from = 0; from < counts.length; from += countsPerBatch)
      unconfirmed.push({ id: ids.next(), counts: counts.slice(from, from + countsPerBatch) });
    for (const batch of unconfirmed) {
      if (!(await isStored(batch))) return;
      unconfirmed = unconfirmed.filter(one => one !== batch);
    }
  }

  async function isStored(batch: NotRedirectedBatch): Promise<boolean> {
    const connection = nats.connection();
    if (!connection) return false;
    const asked = connection.request(notRedirectedSubject, JSON.stringify(batch), {
      timeout: replyTimeoutMs,
    });
    // Without an ingest nobody replies, and the next turn tries again.
    return asked.then(
      reply => reply.string() === storedReply,
      () => false,
    );
  }

  let handingOver: Promise<void> = Promise.resolve();
  const next = () => {
    handingOver = handingOver.then(handOver);
    return handingOver;
  };
  const stopPolling = poll(everyMs, next);

  return {
    add(qrCodeId, reason) {
      const day = clock.now().toISOString().slice(0, 10);
      const key = `${qrCodeId}/${day}/${reason}`;
      const before = held.get(key);
      if (!before && held.size + countsPerBatch * unconfirmed.length >= maxHeld) return;
      held.set(key, [qrCodeId, day, reason, (before?.[3] ?? 0) + 1]);
    },
    async stop() {
      await stopPolling();
      await next();
    },
  };
}
