import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../kernel/errors.ts';
import { Acknowledgements, type AckTimes, type Round } from './acknowledgements.ts';
import type { ChangeNumber, Changes } from './change.ts';
import { createChangeMessages } from './change-messages.ts';
import type { ChangePublisher } from './change-publisher.ts';
import type { Holder, RedisLeaseRegistry, RegistryState } from './lease-registry.ts';
import type { StopNotifier } from './stops/stop.ts';

/**
 * Makes changes hold on every redirect process: when a call resolves, none of them serves what it cached before the change.
 * Where all roles run in one process, a counter could do the same.
 */
export type ChangeNotifier = StopNotifier & {
  invalidate(keys: readonly string[]): Promise<void>;
  /** The same, and tells whether the change has a number: only then redirects that missed it find it by themselves. */
  number(keys: readonly string[]): Promise<boolean>;
};

/** `numbered`: in the stream. `waited`: nothing could be numbered, so all leases have ended. */
type Outcome = 'numbered' | 'waited';

type Options = {
  readonly publisher: ChangePublisher;
  readonly registry: Pick<RedisLeaseRegistry, 'read' | 'revoke' | 'remove' | 'markSettled'>;
  readonly leaseMs: number;
  /** How long each process takes to acknowledge. The lease of one that takes longer than it plausibly needs is revoked. */
  readonly times: AckTimes;
  readonly onSlow: (silent: readonly string[]) => void;
};

/**
 * Each round costs an acknowledgement of every holder, so there are fewer of them where there are many; and where they take
 * long, because some machine is busy, more changes share one instead of more rounds being under way.
 */
const [holdersPerMs, roundsUnderWay, minIntervalMs, maxIntervalMs] = [20, 3, 2, 100];

/**
 * Numbers changes and waits until every process that holds a lease has acknowledged them. The lease of a process that stays
 * silent is revoked, so that it cannot be renewed, and waited out. Without NATS that happens to all leases. Without Redis no
 * lease can be renewed, so waiting for the length of one lease is enough. The same holds after the registry was lost.
 */
export function createChangeNotifier(options: Options): ChangeNotifier {
  const { publisher, registry, leaseMs, times } = options;
  const revocations = createRevocations(options);
  let holderCount = 0;
  let roundMs = 0;

  /** Null where Redis could not be reached for a whole lease. */
  async function readWithRetries(newest: ChangeNumber | null): Promise<RegistryState | null> {
    let failedAtMs: number | null = null;
    for (;;) {
      try {
        return await registry.read(newest);
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
    await registry.markSettled(state).catch(() => {});
  }

  async function send(changes: Changes): Promise<Outcome> {
    const sentAtMs = performance.now();
    const numbered = await publisher.publish(changes);
    const outcome = numbered ? 'numbered' : 'waited';
    const state = await readWithRetries(numbered?.newest ?? null);
    if (state === null) return outcome;
    const { holders } = state;
    holderCount = holders.length;
    const acknowledgements = numbered?.acknowledgements ?? new Acknowledgements(times);
    const processes = holders.map(({ process }) => process);
    const round = acknowledgements.open(numbered?.n ?? 1, sentAtMs, processes);
    try {
      await Promise.all([
        waitUntilSettled(state),
        revocations.waitForHolders(holders, round, numbered !== null),
      ]);
    } finally {
      round.close();
    }
    roundMs += (performance.now() - sentAtMs - roundMs) / 4;
    return outcome;
  }

  const messages = createChangeMessages<Outcome>({
    send,
    intervalMs: () =>
      Math.min(maxIntervalMs, Math.max(minIntervalMs, holderCount / holdersPerMs, roundMs / roundsUnderWay)),
    worst: outcomes => (outcomes.includes('waited') ? 'waited' : 'numbered'),
  });

  return {
    async invalidate(keys) {
      await messages.add({ keys, stops: [] });
    },
    async notify(stops) {
      await messages.add({ keys: [], stops });
    },
    number: async keys => (await messages.add({ keys, stops: [] })) === 'numbered',
  };
}

type Revocations = {
  /** Resolves when each holder has acknowledged or no longer has a lease. */
  waitForHolders(holders: readonly Holder[], round: Round, canAcknowledge: boolean): Promise<void>;
};

function createRevocations({ registry, leaseMs, times, onSlow }: Options): Revocations {
  /** When revoked leases have ended at the latest, by name. */
  const endsAtMs = new Map<string, number>();

  /** Redis may be slow for a moment. Acknowledgements may still arrive during the retries. */
  async function revoke(overdue: readonly Holder[], round: Round): Promise<void> {
    const deadlineMs = performance.now() + 2 * leaseMs;
    for (;;) {
      const silent = overdue.filter(({ process }) => round.missing.has(process));
      try {
        await registry.revoke(silent);
        // A lease may have been renewed just before it was revoked: from here it lasts one whole lease at most.
        for (const { name } of silent) endsAtMs.set(name, performance.now() + leaseMs);
        return;
      } catch (cause) {
        if (performance.now() > deadlineMs) throw unconfirmed(cause);
        await round.within(retryMs);
        if (round.missing.size === 0) return;
      }
    }
  }

  function forgetEnded(): void {
    const nowMs = performance.now();
    for (const [name, endMs] of endsAtMs) if (nowMs - endMs > leaseMs) endsAtMs.delete(name);
  }

  return {
    async waitForHolders(holders, round, canAcknowledge) {
      if (round.missing.size === 0) return;
      const ended = new Set<Holder>();
      let waiting = holders.filter(({ process }) => round.missing.has(process));
      // Another process has revoked it earlier, nobody knows when.
      for (const { name, isRevoked } of waiting)
        if (isRevoked && !endsAtMs.has(name)) endsAtMs.set(name, performance.now() + leaseMs);
      const dueAtMs = ({ name, process }: Holder) =>
        endsAtMs.get(name) ?? round.sentAtMs + (canAcknowledge ? times.of(process).timeoutMs() : 0);
      while (waiting.length > 0) {
        const nextMs = waiting.reduce((soonest, holder) => Math.min(soonest, dueAtMs(holder)), Infinity);
        await round.within(Math.max(nextMs - performance.now(), minCheckMs));
        waiting = waiting.filter(({ process }) => round.missing.has(process));
        const due = waiting.filter(holder => dueAtMs(holder) <= performance.now());
        if (due.length === 0) continue;
        for (const holder of due) if (endsAtMs.has(holder.name)) ended.add(holder);
        const overdue = due.filter(({ name }) => !endsAtMs.has(name));
        if (overdue.length > 0) {
          const silent = [...new Set(overdue.map(({ process }) => process))];
          onSlow(silent);
          if (canAcknowledge) for (const process of silent) times.of(process).missed();
          await revoke(overdue, round);
        }
        waiting = waiting.filter(holder => !ended.has(holder));
      }
      if (ended.size > 0) await registry.remove([...ended]).catch(() => {});
      forgetEnded();
    },
  };
}

const retryMs = 50;
/** Those who become due within this time are handled together. */
const minCheckMs = 20;

const unconfirmed = (cause: unknown) =>
  new AppError(
    'unavailable',
    'Your change is saved, but some servers have not confirmed it yet. Save it again.',
    { cause, retryAfterSeconds: 1 },
  );
