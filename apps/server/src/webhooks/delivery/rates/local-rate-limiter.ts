import type { RateDecision, RateLimits, RequestKind, ReservationRequest } from './rate-reservation.ts';

/** Keeps the same limits for this process alone, in memory. All accounts share a host's grid, first come, first served. */
export type LocalRateLimiter = {
  reserve(request: ReservationRequest): RateDecision;
  /** Times that Redis reserved: what is reserved here afterwards lies behind them. */
  note(request: ReservationRequest, reservedMs: readonly number[]): void;
};

/** `queueMs` is the end of the account's queue of messages that wait in PostgreSQL, per kind. */
type Account = { nextMs: number; retryShareMs: number; queueMs: Record<RequestKind, number> };
type UnprovenEndpoint = { reservedMs: number[]; queueMs: number };

const maxRemembered = 10_000;

export function createLocalRateLimiter(limits: RateLimits): LocalRateLimiter {
  const accounts = createBoundedMap<Account>(() => ({
    nextMs: 0,
    retryShareMs: 0,
    queueMs: { new: 0, deferred: 0, retry: 0 },
  }));
  const cellMs = 1000 / (limits.rate * limits.allAccountsFactor);
  const grids = createBoundedMap(() => createGrid(cellMs));
  const endpoints = createBoundedMap<UnprovenEndpoint>(() => ({ reservedMs: [], queueMs: 0 }));
  const getSpacing = ({ rate }: ReservationRequest) => (1000 + cellMs) / (rate ?? limits.rate);
  const findAccount = ({ host, accountId }: ReservationRequest) => accounts.get(`${host} ${accountId}`);

  function isFull(endpoint: UnprovenEndpoint, now: number): boolean {
    endpoint.reservedMs = endpoint.reservedMs.filter(at => at > now - limits.unprovenWindowMs);
    return endpoint.reservedMs.length >= limits.unprovenAttempts;
  }

  /** Once the host was idle, the queues are empty. New events queue behind those that were deferred twice. */
  function resetQueues({ nextMs, queueMs }: Account, kind: RequestKind, idleSinceMs: number): void {
    if (nextMs < idleSinceMs) {
      queueMs[kind] = 0;
      if (kind === 'new') queueMs.deferred = 0;
    }
    if (kind === 'new') queueMs.new = Math.max(queueMs.new, queueMs.deferred);
  }

  /** Waits of an endpoint without a success that has used up its own limit. */
  function endpointWaits(endpoint: UnprovenEndpoint, count: number, now: number): number[] {
    const freeAtMs = endpoint.reservedMs.at(-limits.unprovenAttempts)! + limits.unprovenWindowMs;
    const fromMs = Math.max(endpoint.queueMs, freeAtMs);
    const spacingMs = limits.unprovenWindowMs / limits.unprovenAttempts;
    endpoint.queueMs = fromMs + count * spacingMs;
    return Array.from({ length: count }, (_, n) => fromMs + n * spacingMs - now);
  }

  return {
    reserve(request) {
      const { kind, count } = request;
      const now = performance.now();
      const startMs = now + (request.leadMs ?? 0);
      const horizonMs = startMs + limits.horizonMs[kind];
      const spacingMs = getSpacing(request);
      const [account, grid] = [findAccount(request), grids.get(request.host)];
      const unproven = request.unproven ? endpoints.get(request.unproven) : null;
      resetQueues(account, kind, now - 1000 - spacingMs);
      const isBehind = kind === 'new' && account.queueMs.new > horizonMs;
      const reservedMs: number[] = [];
      while (reservedMs.length < count) {
        if (unproven && isFull(unproven, now)) {
          const waitsMs = endpointWaits(unproven, count - reservedMs.length, now);
          return { reservedMs, waitsMs, decidedUs: null, reason: 'first_success', spacingMs };
        }
        const fromMs = Math.max(startMs, account.nextMs);
        // Where new events fill all of the horizon, a tenth is still for retries.
        const isRetryShare = kind === 'retry' && fromMs > horizonMs && account.retryShareMs <= now;
        const upToMs = isRetryShare ? startMs + limits.horizonMs.new + spacingMs : horizonMs;
        if (fromMs > upToMs || (isBehind && account.nextMs > startMs)) break;
        const atMs = grid.take(fromMs, upToMs, now);
        if (atMs === null) break;
        if (isRetryShare) account.retryShareMs = now + 10 * spacingMs;
        account.nextMs = Math.max(fromMs, atMs - cellMs) + spacingMs;
        unproven?.reservedMs.push(atMs);
        reservedMs.push(atMs);
      }
      // Not at once among messages that are due: those would lose their times to these, which would defer them in turn.
      const behindMs = kind === 'deferred' ? Math.min(account.queueMs.new, startMs + 5_000) : 0;
      const queueMs = Math.max(account.queueMs[kind], horizonMs, behindMs);
      const left = count - reservedMs.length;
      if (left > 0) account.queueMs[kind] = queueMs + left * spacingMs;
      const waitsMs = Array.from({ length: left }, (_, n) => queueMs + n * spacingMs - now);
      return { reservedMs, waitsMs, decidedUs: null, reason: 'host_rate', spacingMs };
    },
    note(request, reservedMs) {
      const lastMs = reservedMs.at(-1);
      if (lastMs === undefined) return;
      const account = findAccount(request);
      account.nextMs = Math.max(account.nextMs, lastMs + getSpacing(request));
      if (!request.unproven) return;
      const endpoint = endpoints.get(request.unproven);
      endpoint.reservedMs = [...endpoint.reservedMs, ...reservedMs].slice(-limits.unprovenAttempts);
    },
  };
}

/** The times at which a host may be sent an attempt: cells of equal length, each taken once. */
function createGrid(cellMs: number) {
  let taken = new Set<number>();
  return {
    take(fromMs: number, untilMs: number, now: number): number | null {
      let cell = Math.ceil(fromMs / cellMs);
      while (taken.has(cell) && cell * cellMs <= untilMs) cell++;
      if (cell * cellMs > untilMs) return null;
      if (taken.size > 4_096) taken = new Set([...taken].filter(index => index * cellMs >= now));
      taken.add(cell);
      return cell * cellMs;
    },
  };
}

/** Makes what is missing, and forgets what was not used for the longest time. */
function createBoundedMap<Value>(create: () => Value) {
  const values = new Map<string, Value>();
  return {
    get(key: string): Value {
      const value = values.get(key) ?? create();
      values.delete(key);
      values.set(key, value);
      if (values.size > maxRemembered) values.delete(values.keys().next().value!);
      return value;
    },
  };
}
