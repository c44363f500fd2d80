import { setTimeout as pause } from 'node:timers/promises';
import type { Uuid } from '../../../kernel/ids.ts';
import type { EndpointWithRate, WaitReason } from '../../webhook.ts';
import { parseHost } from '../../webhook-host.ts';
import type { Job } from '../job.ts';
import type { HostRateLimiter } from './host-rate-limiter.ts';
import { createPacer } from './pacer.ts';
import type { RequestKind, Reservation } from './rate-reservation.ts';

/** Gets jobs a reservation from the rate limiter of their host: for now, for a time within a second, or none yet. */
export type RateScheduler = {
  schedule(job: Job): void;
  /** Whether its reservation has expired, or it has none. */
  isExpired(job: Job): boolean;
  /** Resolves at the reserved time; false where the reservation does not hold for the endpoint as it was just read. */
  awaitReservation(job: Job, endpoint: EndpointWithRate): Promise<boolean>;
  /** Takes what was just read of an endpoint, so that its next job needs no look-up, and how long the read took. */
  noteEndpoint(endpoint: EndpointWithRate, readMs: number): void;
  forgetEndpoint(endpointId: Uuid): void;
  /** Jobs that wait for a reservation or its time: of one endpoint, of all. */
  countJobs(endpointId: Uuid): number;
  length(): number;
};

type Parts = {
  readonly rateLimiter: HostRateLimiter;
  readonly readEndpoint: (endpointId: Uuid) => Promise<EndpointWithRate | null>;
  /** The reserved time is near, or there is nothing to wait for. */
  readonly onReady: (job: Job) => void;
  readonly onThrottled: (job: Job, waitMs: number, reason: WaitReason) => void;
  readonly onError: (job: Job, error: unknown) => void;
  readonly onWait: (ms: number) => void;
};

type CachedEndpoint = {
  readonly accountId: Uuid;
  readonly host: string;
  readonly rate: number | null;
  readonly isProven: boolean;
  readonly enabled: boolean;
  readonly readAtMs: number;
};

type Group = { readonly endpoint: CachedEndpoint; readonly kind: RequestKind; readonly jobs: Job[] };

/** Cached endpoints serve to make reservations only: an attempt reads its endpoint again. */
const cacheMs = 1_000;
const maxCached = 10_000;
/** A reservation expires after this: of one second's attempts at most those of a quarter fall into the next. */
const maxLateMs = 250;
/** An attempt reads its endpoint before its reserved time. A read this short needs no lead; a lead is at most this long. */
const [negligibleReadMs, maxReadMs] = [20, 1_020];

/** For an endpoint that is deleted or disabled. The attempt finds that out; where it is enabled again, the job is rescheduled. */
const nowhere = (): Reservation => ({
  atMs: performance.now(),
  spacingMs: 0,
  host: '',
  isProven: false,
});

export function createRateScheduler(parts: Parts): RateScheduler {
  const { rateLimiter, readEndpoint, onReady, onThrottled, onError, onWait } = parts;
  const cache = new Map<Uuid, CachedEndpoint>();
  const lengths = new Map<Uuid, number>();
  const groups = new Map<string, Group>();
  const pacer = createPacer();
  let length = 0;
  /** A moving average. */
  let averageReadMs = 0;

  /** Where PostgreSQL or this process is slow, attempts begin that much before their time, or all would be late. */
  const leadMs = () => Math.max(0, Math.min(averageReadMs, maxReadMs) - negligibleReadMs);

  function count(endpointId: Uuid, change: 1 | -1): void {
    const endpointLength = (lengths.get(endpointId) ?? 0) + change;
    length += change;
    if (endpointLength > 0) lengths.set(endpointId, endpointLength);
    else lengths.delete(endpointId);
  }

  function remember({ id, accountId, url, hostRate, provenAt, enabled }: EndpointWithRate): CachedEndpoint {
    const endpoint: CachedEndpoint = {
      accountId,
      host: parseHost(url),
      rate: hostRate,
      isProven: provenAt !== null,
      enabled,
      readAtMs: performance.now(),
    };
    cache.delete(id);
    cache.set(id, endpoint);
    if (cache.size > maxCached) cache.delete(cache.keys().next().value!);
    return endpoint;
  }

  function release(job: Job, reservation: Reservation): void {
    count(job.message.endpointId, -1);
    onReady({ ...job, reservation });
  }

  function throttle(job: Job, waitMs: number, reason: WaitReason): void {
    count(job.message.endpointId, -1);
    onThrottled(job, waitMs, reason);
  }

  async function lookUp(job: Job): Promise<void> {
    try {
      const endpoint = await readEndpoint(job.message.endpointId);
      if (endpoint) addToGroup(job, remember(endpoint));
      else release(job, nowhere());
    } catch (error) {
      count(job.message.endpointId, -1);
      onError(job, error);
    }
  }

  /** Jobs of one turn of the event loop that count against the same limit make one request. */
  function addToGroup(job: Job, endpoint: CachedEndpoint): void {
    if (!endpoint.enabled) {
      release(job, nowhere());
      return;
    }
    const kind = classifyJob(job);
    const key = `${endpoint.host} ${endpoint.accountId} ${kind} ${endpoint.isProven ? '' : job.message.endpointId}`;
    if (groups.size === 0) setImmediate(reserveAll);
    const group = groups.get(key) ?? { endpoint, kind, jobs: [] };
    groups.set(key, group);
    group.jobs.push(job);
  }

  function reserveAll(): void {
    const ready = [...groups.values()];
    groups.clear();
    for (const group of ready) void reserve(group);
  }

  async function reserve({ endpoint, kind, jobs }: Group): Promise<void> {
    const { accountId, host, rate, isProven } = endpoint;
    const unproven = isProven ? null : jobs[0]!.message.endpointId;
    const lead = leadMs();
    const request = { host, accountId, rate, unproven, kind, count: jobs.length, leadMs: lead };
    const { reservedMs, waitsMs, reason, spacingMs } = await rateLimiter.reserve(request);
    const now = performance.now();
    for (const [index, job] of jobs.entries()) {
      const atMs = reservedMs[index];
      if (atMs === undefined) {
        throttle(job, waitsMs[index - reservedMs.length]!, reason);
        continue;
      }
      onWait(Math.max(0, atMs - now));
      const beginsInMs = atMs - now - lead;
      const reservation = { atMs, spacingMs, host, isProven };
      if (beginsInMs < 1) release(job, reservation);
      else setTimeout(release, Math.ceil(beginsInMs), job, reservation);
    }
  }

  return {
    isExpired: ({ reservation }) => reservation === null || performance.now() - reservation.atMs > maxLateMs,
    schedule(job) {
      const { endpointId } = job.message;
      count(endpointId, 1);
      const endpoint = cache.get(endpointId);
      if (endpoint && performance.now() - endpoint.readAtMs < cacheMs) addToGroup(job, endpoint);
      else void lookUp(job);
    },
    async awaitReservation({ reservation, message }, { url, provenAt }) {
      if (!reservation || reservation.host !== parseHost(url)) return false;
      if (provenAt === null && reservation.isProven) return false;
      const key = `${reservation.host} ${message.accountId}`;
      // Checked again after every wait: timers of a process that was stalled fire together.
      for (;;) {
        const now = performance.now();
        const dueMs = pacer.dueMs(key, reservation.atMs, reservation.spacingMs);
        if (Math.max(now, dueMs) - reservation.atMs > maxLateMs) return false;
        if (dueMs - now < 1) {
          pacer.noteSent(key, now);
          return true;
        }
        await pause(dueMs - now);
      }
    },
    noteEndpoint(endpoint, readMs) {
      remember(endpoint);
      averageReadMs += (readMs - averageReadMs) * 0.1;
    },
    forgetEndpoint: endpointId => void cache.delete(endpointId),
    countJobs: endpointId => lengths.get(endpointId) ?? 0,
    length: () => length,
  };
}

/** A new event that missed its reservation counts as deferred: it need not queue behind newer ones. */
function classifyJob({ attempts, source, reservation }: Job): RequestKind {
  if (attempts > 0) return 'retry';
  return source === 'queue' && reservation === null ? 'new' : 'deferred';
}
