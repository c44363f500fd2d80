import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../kernel/errors.ts';
import type { StopChange, StopNotifier } from '../stops/stop.ts';
import { type InvalidationBroadcast, invalidationSubject, stopSubject } from './invalidation-broadcast.ts';
import type { Holder, RedisLeaseRegistry, RegistryState } from './lease-registry.ts';

/** When `invalidate` resolves, no redirect process serves what it cached before the edit. */
export type CacheInvalidator = { invalidate(keys: readonly string[]): Promise<void> };

type Options = {
  readonly broadcast: InvalidationBroadcast;
  readonly registry: Pick<RedisLeaseRegistry, 'read' | 'revoke' | 'remove' | 'settle'>;
  readonly leaseMs: number;
  /** How long processes may take to reply before the leases of the silent ones are revoked. */
  readonly timeoutMs: number;
  readonly onSlow: (silent: readonly string[]) => void;
};

/**
 * Sends invalidations or stops to every redirect process and waits for all that hold a lease. The lease of a process
 * that stays silent is revoked, so that it cannot be renewed, and waited out. Without Redis no lease can be renewed,
 * so waiting for the length of one lease is enough. The same holds after the registry was lost.
 */
export function createCacheInvalidator(options: Options): CacheInvalidator & StopNotifier {
  const { broadcast, registry, leaseMs } = options;

  /** Null where Redis could not be reached for a whole lease. */
  async function readWithRetries(): Promise<RegistryState | null> {
    let failedAtMs: number | null = null;
    for (;;) {
      try {
        return await registry.read();
      } catch {
        failedAtMs ??= performance.now();
        if (performance.now() - failedAtMs >= leaseMs) return null;
        await sleep(retryMs);
      }
    }
  }

  /** A new registry does not know the leases of the one before. They have run out once it is as old as a lease. */
  async function waitUntilSettled(state: RegistryState): Promise<void> {
    if (state.unsettledMs === 0) return;
    await sleep(state.unsettledMs);
    // Where this fails, the next edit waits again.
    await registry.settle(state).catch(() => {});
  }

  async function sendToAll(subject: string, data: readonly (string | StopChange)[]): Promise<void> {
    const replies = createReplies();
    const request = broadcast.request(subject, JSON.stringify(data), replies.add);
    try {
      const state = await readWithRetries();
      if (state === null) return;
      const timeoutMs = request ? options.timeoutMs : 0;
      await Promise.all([
        waitUntilSettled(state),
        waitForHolders(state.holders, replies, { ...options, timeoutMs }),
      ]);
    } finally {
      request?.stop();
    }
  }

  return {
    invalidate: keys => sendToAll(invalidationSubject, keys),
    notify: changes => sendToAll(stopSubject, changes),
  };
}

/** Resolves when each holder has replied or no longer has a lease. */
async function waitForHolders(holders: readonly Holder[], replies: Replies, options: Options): Promise<void> {
  const { registry, leaseMs, timeoutMs, onSlow } = options;
  const silent = () => holders.filter(({ process }) => !replies.has(process));
  const isDone = () => silent().length === 0;
  await replies.until(isDone, timeoutMs);
  if (isDone()) return;
  onSlow([...new Set(silent().map(({ process }) => process))]);
  /** Redis may be slow for a moment. Replies may still arrive during the retries. */
  const deadlineMs = performance.now() + 2 * leaseMs;
  for (let revoked = false; !revoked && !isDone(); ) {
    try {
      await registry.revoke(silent());
      revoked = true;
    } catch (cause) {
      if (performance.now() > deadlineMs) throw unconfirmed(cause);
      await replies.until(isDone, retryMs);
    }
  }
  // A lease may have been renewed just before it was revoked: from here it lasts one whole lease at most.
  await replies.until(isDone, leaseMs);
  await registry.remove(silent()).catch(() => {});
}

type Replies = {
  add(process: string): void;
  has(process: string): boolean;
  /** Resolves when `isDone` is true after a reply, and after `timeoutMs` at the latest. */
  until(isDone: () => boolean, timeoutMs: number): Promise<void>;
};

function createReplies(): Replies {
  const replied = new Set<string>();
  let onChange = () => {};
  return {
    add(process) {
      replied.add(process);
      onChange();
    },
    has: process => replied.has(process),
    async until(isDone, timeoutMs) {
      const done = new AbortController();
      onChange = () => isDone() && done.abort();
      onChange();
      await sleep(timeoutMs, undefined, { signal: done.signal }).catch(() => {});
    },
  };
}

const retryMs = 50;

const unconfirmed = (cause: unknown) =>
  new AppError(
    'unavailable',
    'Your change is saved, but some servers have not confirmed it yet. Save it again.',
    { cause, retryAfterSeconds: 1 },
  );
