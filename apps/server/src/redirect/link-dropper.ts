import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../kernel/errors.ts';
import type { RedisLeaseBook } from './lease-book.ts';

/** Makes an edit hold: when this resolves, no redirect process anywhere serves what was before. */
export type LinkDropper = { drop(shortCodes: readonly string[]): Promise<void> };

/** Speaks to all redirect processes at once. */
export type Bus = {
  readonly connected: boolean;
  /** Sends to everybody who listens; `onAnswer` is called for each answer until `stop`. */
  ask(subject: string, data: string, onAnswer: (data: string) => void): { stop(): void };
};

export const dropSubject = 'signpost.links.drop';

type Options = {
  readonly bus: Bus;
  readonly book: Pick<RedisLeaseBook, 'holders' | 'strike'>;
  readonly leaseMs: number;
  /** How long everybody may take to answer before those who have not are struck off. */
  readonly patienceMs: number;
  readonly onSlow: (silent: readonly string[]) => void;
};

/**
 * Asks every process to forget the codes and waits for all that hold a lease. Whoever stays silent is struck off, so
 * that it cannot renew, and is waited for until its lease has run out. Without Redis nobody can renew at all, so
 * one length of a lease is enough.
 */
export function createLinkDropper({ bus, book, leaseMs, patienceMs, onSlow }: Options): LinkDropper {
  return {
    async drop(shortCodes) {
      const answered = new Set<string>();
      let onChange = () => {};
      const question = bus.connected
        ? bus.ask(dropSubject, JSON.stringify(shortCodes), id => {
            answered.add(id);
            onChange();
          })
        : { stop() {} };
      try {
        const holders = await book.holders().catch(() => null);
        if (holders === null) {
          await sleep(leaseMs);
          return;
        }
        const silent = () => holders.filter(({ id }) => !answered.has(id));
        const everybody = () =>
          new Promise<void>(resolve => {
            onChange = () => silent().length === 0 && resolve();
            onChange();
          });
        /** Redis may be slow for a moment just now. While it is tried again, answers may still come in. */
        const strikeSilent = async () => {
          const deadline = performance.now() + 2 * leaseMs;
          while (silent().length > 0) {
            try {
              return await book.strike(silent().map(({ id }) => id));
            } catch (cause) {
              if (performance.now() > deadline) throw unconfirmed(cause);
              await waitFor(everybody(), retryMs);
            }
          }
        };
        await waitFor(everybody(), patienceMs);
        if (silent().length === 0) return;
        onSlow(silent().map(({ id }) => id));
        await strikeSilent();
        if (silent().length === 0) return;
        // Somebody may have renewed just before: a whole lease from here is the longest that can be left.
        await waitFor(everybody(), leaseMs);
      } finally {
        question.stop();
      }
    },
  };
}

const retryMs = 100;

const unconfirmed = (cause: unknown) =>
  new AppError('unavailable', 'The change is saved, but not every redirect could be told. Send it again.', {
    cause,
    retryAfterSeconds: 1,
  });

async function waitFor(thing: Promise<void>, atMostMs: number): Promise<void> {
  const done = new AbortController();
  await Promise.race([thing, sleep(atMostMs, undefined, { signal: done.signal }).catch(() => {})]);
  done.abort();
}
