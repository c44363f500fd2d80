import type { Clock } from '../kernel/clock.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import { poll } from '../platform/background-jobs.ts';
import type { Nats } from '../platform/nats/nats.ts';
import {
  type NotRedirectedBatch,
  type NotRedirectedCount,
  type NotRedirectedReason,
  notRedirectedSubject,
  refusedReply,
  storedReply,
} from '../scans/not-redirected.ts';

/** Adds up requests that were not redirected, and hands them over to ingest. A kill loses those of the last seconds. */
export type NotRedirectedCounter = {
  add(qrCodeId: Uuid, reason: NotRedirectedReason): void;
  /** Hands over what is left. */
  stop(): Promise<void>;
};

type Options = {
  /** Hands a batch over to ingest; whether that has stored or refused it. It may reject. */
  readonly send: (batch: NotRedirectedBatch) => Promise<boolean>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly everyMs?: number;
};

const countsPerBatch = 1_000;
/** Codes, days and reasons that are added up at a time; no others are counted until these are handed over. */
const maxHeld = 100_000;

/** Short, since the end of the process waits for it. */
const replyTimeoutMs = 1_000;

/** Hands batches over to an ingest in another process. */
export const sendToIngest =
  (nats: Pick<Nats, 'connection'>) =>
  async (batch: NotRedirectedBatch): Promise<boolean> => {
    const reply = await nats
      .connection()
      ?.request(notRedirectedSubject, JSON.stringify(batch), { timeout: replyTimeoutMs });
    const answer = reply?.string();
    return answer === storedReply || answer === refusedReply;
  };

export function createNotRedirectedCounter({
  send,
  clock,
  ids,
  everyMs = 5_000,
}: Options): NotRedirectedCounter {
  let held = new Map<string, NotRedirectedCount>();
  /** Sent without a reply so far. They are sent again as they are, before anything newer: meanwhile counts add up in `held`. */
  const unconfirmed: NotRedirectedBatch[] = [];

  async function handOver(): Promise<void> {
    if (!(await sendUnconfirmed())) return;
    const counts = [...held.values()];
    held = new Map();
    for (let from = 0; from < counts.length; from += countsPerBatch)
      unconfirmed.push({ id: ids.next(), counts: counts.slice(from, from + countsPerBatch) });
    await sendUnconfirmed();
  }

  /** Whether ingest has answered all of them. */
  async function sendUnconfirmed(): Promise<boolean> {
    while (unconfirmed.length > 0) {
      if (!(await isSettled(unconfirmed[0]!))) return false;
      unconfirmed.shift();
    }
    return true;
  }

  async function isSettled(batch: NotRedirectedBatch): Promise<boolean> {
    // There is no ingest, or no connection any more: the next turn tries again.
    return await send(batch).catch(() => false);
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
      if (!before && held.size >= maxHeld) return;
      held.set(key, [qrCodeId, day, reason, (before?.[3] ?? 0) + 1]);
    },
    async stop() {
      await stopPolling();
      await next();
    },
  };
}
