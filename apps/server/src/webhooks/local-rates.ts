import type { Ask, AskKind, Limits, Turns } from './turns.ts';

/** The same limits for this process alone, in its memory. All accounts share the grid of a host as they come. */
export type LocalRates = {
  take(ask: Ask): Turns;
  /** Times that Redis gave out: what is decided here afterwards lies behind them. */
  note(ask: Ask, slotsMs: readonly number[]): void;
};

type Account = { nextMs: number; shareMs: number; lineMs: Record<AskKind, number> };
type Unproven = { slotsMs: number[]; lineMs: number };

const mostRemembered = 10_000;

export function createLocalRates(limits: Limits, nowMs = () => performance.now()): LocalRates {
  const accounts = createMemory<Account>(() => ({
    nextMs: 0,
    shareMs: 0,
    lineMs: { live: 0, parked: 0, again: 0 },
  }));
  const hosts = createMemory(() => createGrid(1000 / (limits.rate * limits.allTimes)));
  const endpoints = createMemory<Unproven>(() => ({ slotsMs: [], lineMs: 0 }));
  const placeMs = 1000 / (limits.rate * limits.allTimes);
  const spacingOf = (ask: Ask) => (1000 + placeMs) / (ask.rate ?? limits.rate);
  const accountOf = ({ host, accountId }: Ask) => accounts.of(`${host} ${accountId}`);

  function isFull(unproven: Unproven, now: number): boolean {
    unproven.slotsMs = unproven.slotsMs.filter(slot => slot > now - limits.unprovenWindowMs);
    return unproven.slotsMs.length >= limits.unprovenMost;
  }

  /** Where the host had nothing to do, nobody stands in line any more. New events stand behind those that came back. */
  function tidyLines({ nextMs, lineMs }: Account, kind: AskKind, idleSinceMs: number): void {
    if (nextMs < idleSinceMs) {
      lineMs[kind] = 0;
      if (kind === 'live') lineMs.parked = 0;
    }
    if (kind === 'live') lineMs.live = Math.max(lineMs.live, lineMs.parked);
  }

  /** After the limit of an endpoint without a success. */
  function ownWaits(unproven: Unproven, count: number, now: number): number[] {
    const free = unproven.slotsMs.at(-limits.unprovenMost)! + limits.unprovenWindowMs;
    const from = Math.max(unproven.lineMs, free);
    const spacing = limits.unprovenWindowMs / limits.unprovenMost;
    unproven.lineMs = from + count * spacing;
    return Array.from({ length: count }, (_, n) => from + n * spacing - now);
  }

  return {
    take(ask) {
      const now = nowMs();
      const startMs = now + (ask.leadMs ?? 0);
      const untilMs = startMs + limits.aheadMs[ask.kind];
      const spacing = spacingOf(ask);
      const [account, host] = [accountOf(ask), hosts.of(ask.host)];
      const unproven = ask.unproven ? endpoints.of(ask.unproven) : null;
      tidyLines(account, ask.kind, now - 1000 - spacing);
      const isBehind = ask.kind === 'live' && account.lineMs.live > untilMs;
      const slotsMs: number[] = [];
      while (slotsMs.length < ask.count) {
        if (unproven && isFull(unproven, now)) {
          const waitsMs = ownWaits(unproven, ask.count - slotsMs.length, now);
          return { slotsMs, waitsMs, decidedUs: null, reason: 'first_success', spacingMs: spacing };
        }
        const from = Math.max(startMs, account.nextMs);
        // Where new events fill all of the time ahead, a tenth is still for what was tried before.
        const isShare = ask.kind === 'again' && from > untilMs && account.shareMs <= now;
        const upToMs = isShare ? startMs + limits.aheadMs.live + spacing : untilMs;
        if (from > upToMs || (isBehind && account.nextMs > startMs)) break;
        const slot = host.take(from, upToMs, now);
        if (slot === null) break;
        if (isShare) account.shareMs = now + 10 * spacing;
        account.nextMs = Math.max(from, slot - placeMs) + spacing;
        unproven?.slotsMs.push(slot);
        slotsMs.push(slot);
      }
      // Not at once among those whose time has come: they would lose theirs to these, and so on.
      const behindMs = ask.kind === 'parked' ? Math.min(account.lineMs.live, startMs + 5_000) : 0;
      const from = Math.max(account.lineMs[ask.kind], untilMs, behindMs);
      const left = ask.count - slotsMs.length;
      if (left > 0) account.lineMs[ask.kind] = from + left * spacing;
      const waitsMs = Array.from({ length: left }, (_, n) => from + n * spacing - now);
      return { slotsMs, waitsMs, decidedUs: null, reason: 'host_rate', spacingMs: spacing };
    },
    note(ask, slotsMs) {
      const last = slotsMs.at(-1);
      if (last === undefined) return;
      const account = accountOf(ask);
      account.nextMs = Math.max(account.nextMs, last + spacingOf(ask));
      if (!ask.unproven) return;
      const unproven = endpoints.of(ask.unproven);
      unproven.slotsMs = [...unproven.slotsMs, ...slotsMs].slice(-limits.unprovenMost);
    },
  };
}

/** Places so far apart that a host has one a try, each taken once. */
function createGrid(placeMs: number) {
  let taken = new Set<number>();
  return {
    take(fromMs: number, untilMs: number, now: number): number | null {
      let place = Math.ceil(fromMs / placeMs);
      while (taken.has(place) && place * placeMs <= untilMs) place++;
      if (place * placeMs > untilMs) return null;
      if (taken.size > 4_096) taken = new Set([...taken].filter(one => one * placeMs >= now));
      taken.add(place);
      return place * placeMs;
    },
  };
}

/** Bounded: past that the one that was not asked for the longest time is forgotten. */
function createMemory<Value>(make: () => Value) {
  const values = new Map<string, Value>();
  return {
    of(key: string): Value {
      const value = values.get(key) ?? make();
      values.delete(key);
      values.set(key, value);
      if (values.size > mostRemembered) values.delete(values.keys().next().value!);
      return value;
    },
  };
}
