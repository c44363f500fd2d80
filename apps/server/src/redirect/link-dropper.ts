import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../kernel/errors.ts';
import type { StopChange, StopTeller } from '../stops/stop.ts';
import type { Holder, RedisLeaseBook, Registry } from './lease-book.ts';

/** Makes an edit hold: when this resolves, no redirect process anywhere serves what was before. */
export type LinkDropper = { drop(keys: readonly string[]): Promise<void> };

/** Speaks to all redirect processes at once. */
export type Bus = {
  /** Sends to everybody who listens; `onAnswer` is called for each answer until `stop`. Null where nothing can be sent. */
  ask(subject: string, data: string, onAnswer: (data: string) => void): { stop(): void } | null;
};

export const dropSubject = 'signpost.links.drop';
export const stopSubject = 'signpost.stops.tell';

type Options = {
  readonly bus: Bus;
  readonly book: Pick<RedisLeaseBook, 'read' | 'strike' | 'bury' | 'settle'>;
  readonly leaseMs: number;
  /** How long everybody may take to answer before the leases of those who have not are struck. */
  readonly patienceMs: number;
  readonly onSlow: (silent: readonly string[]) => void;
};

/**
 * Asks every process to forget links, or tells it what is stopped, and waits for all that hold a lease. The lease of one that stays silent is
 * struck, so that it cannot be renewed, and waited for until it has run out. Without Redis no lease can be renewed,
 * so one length of a lease is enough; and so it is after a registry that was lost.
 */
export function createLinkDropper(options: Options): LinkDropper & StopTeller {
  const { bus, book, leaseMs } = options;

  /** Null where Redis could not be reached for a whole lease. */
  async function readPatiently(): Promise<Registry | null> {
    let failedAtMs: number | null = null;
    for (;;) {
      try {
        return await book.read();
      } catch {
        failedAtMs ??= performance.now();
        if (performance.now() - failedAtMs >= leaseMs) return null;
        await sleep(retryMs);
      }
    }
  }

  /** Earlier leases are unknown to a registry that is new. They have run out when it is as old as a lease. */
  async function outlive(registry: Registry): Promise<void> {
    if (registry.unsettledMs === 0) return;
    await sleep(registry.unsettledMs);
    // Where this fails, the next edit finds out by itself.
    await book.settle(registry).catch(() => {});
  }

  async function tellAll(subject: string, data: readonly (string | StopChange)[]): Promise<void> {
    const answers = createAnswers();
    const question = bus.ask(subject, JSON.stringify(data), answers.add);
    try {
      const registry = await readPatiently();
      if (registry === null) return;
      const patienceMs = question ? options.patienceMs : 0;
      await Promise.all([outlive(registry), reach(registry.holders, answers, { ...options, patienceMs })]);
    } finally {
      question?.stop();
    }
  }

  return {
    drop: keys => tellAll(dropSubject, keys),
    tell: changes => tellAll(stopSubject, changes),
  };
}

/** Resolves when each of the holders has answered or has no lease any more. */
async function reach(holders: readonly Holder[], answers: Answers, options: Options): Promise<void> {
  const { book, leaseMs, patienceMs, onSlow } = options;
  const silent = () => holders.filter(({ process }) => !answers.has(process));
  const isOver = () => silent().length === 0;
  await answers.until(isOver, patienceMs);
  if (isOver()) return;
  onSlow([...new Set(silent().map(({ process }) => process))]);
  /** Redis may be slow for a moment just now. While it is tried again, answers may still come in. */
  const deadlineMs = performance.now() + 2 * leaseMs;
  for (let struck = false; !struck && !isOver(); ) {
    try {
      await book.strike(silent());
      struck = true;
    } catch (cause) {
      if (performance.now() > deadlineMs) throw unconfirmed(cause);
      await answers.until(isOver, retryMs);
    }
  }
  // Somebody may have renewed just before: a whole lease from here is the longest that can be left.
  await answers.until(isOver, leaseMs);
  await book.bury(silent()).catch(() => {});
}

type Answers = {
  add(process: string): void;
  has(process: string): boolean;
  /** Resolves when `isOver` is true after an answer, and at the latest when the time is up. */
  until(isOver: () => boolean, atMostMs: number): Promise<void>;
};

function createAnswers(): Answers {
  const answered = new Set<string>();
  let onChange = () => {};
  return {
    add(process) {
      answered.add(process);
      onChange();
    },
    has: process => answered.has(process),
    async until(isOver, atMostMs) {
      const done = new AbortController();
      onChange = () => isOver() && done.abort();
      onChange();
      await sleep(atMostMs, undefined, { signal: done.signal }).catch(() => {});
    },
  };
}

const retryMs = 50;

const unconfirmed = (cause: unknown) =>
  new AppError('unavailable', 'The change is saved, but not every redirect could be told. Send it again.', {
    cause,
    retryAfterSeconds: 1,
  });
