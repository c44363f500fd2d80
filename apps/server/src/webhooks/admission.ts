import { setTimeout as pause } from 'node:timers/promises';
import type { Uuid } from '../kernel/ids.ts';
import type { HostRates } from './host-rates.ts';
import type { Job, Slot } from './lines.ts';
import { createPace } from './pace.ts';
import type { AskKind } from './turns.ts';
import type { Target, WaitReason } from './webhook.ts';
import { hostOf } from './webhook-host.ts';

/** Lets jobs through at the rates of their hosts: at once, at a moment within a second, or not now. */
export type Admission = {
  admit(job: Job): void;
  /** Whether its moment is over, or it has none. */
  isOver(job: Job): boolean;
  /** Whether the job may be tried at this endpoint, as it was just read; resolves when its moment has come. */
  covers(job: Job, target: Target): Promise<boolean>;
  /** What was read of an endpoint, so that the next job needs no look-up of its own, and how long that took. */
  note(target: Target, readingMs: number): void;
  forget(endpointId: Uuid): void;
  /** Jobs that wait for their moment: of one endpoint, of all. */
  lengthOf(endpointId: Uuid): number;
  length(): number;
};

type Parts = {
  readonly rates: HostRates;
  readonly read: (endpointId: Uuid) => Promise<Target | null>;
  /** Its moment has come, or there is nothing to wait for. */
  readonly onReady: (job: Job) => void;
  readonly onRefused: (job: Job, waitMs: number, reason: WaitReason) => void;
  /** Nobody can say when: it is left to come again. */
  readonly onLost: (job: Job, error: unknown) => void;
  readonly onWait: (ms: number) => void;
};

type Known = {
  readonly accountId: Uuid;
  readonly host: string;
  readonly rate: number | null;
  readonly isProven: boolean;
  readonly enabled: boolean;
  readonly readMs: number;
};

/** What is known of an endpoint is only used to ask: whoever dials reads it again. */
const knownForMs = 1_000;
const mostKnown = 10_000;
/** Past this a moment is over, and its try asks for another: of a second's tries so many may fall into the next. */
const mostLateMs = 250;
/** Between the start of a try and its moment the endpoint is read. So much of that is nothing to plan for, so much the most. */
const [usualLeadMs, mostLeadMs] = [20, 1_020];

/** For an endpoint that is gone or off: whoever dials finds that out, and where it is on again asks once more. */
const nowhere = (): Slot => ({ atMs: performance.now(), spacingMs: 0, host: '', isProven: false });

export function createAdmission(parts: Parts): Admission {
  const { rates, read, onReady, onRefused, onLost, onWait } = parts;
  const known = new Map<Uuid, Known>();
  const lengths = new Map<Uuid, number>();
  const groups = new Map<string, { readonly of: Known; readonly kind: AskKind; readonly jobs: Job[] }>();
  const pace = createPace();
  let length = 0;
  let readingMs = 0;

  /** Where PostgreSQL is slow, or this process, tries begin that much before their moment, or all would be late. */
  const leadMs = () => Math.max(0, Math.min(readingMs, mostLeadMs) - usualLeadMs);

  /** On an average that moves. */
  function noteReading(ms: number): void {
    readingMs += (ms - readingMs) * 0.1;
  }

  function count(endpointId: Uuid, change: 1 | -1): void {
    const now = (lengths.get(endpointId) ?? 0) + change;
    length += change;
    if (now > 0) lengths.set(endpointId, now);
    else lengths.delete(endpointId);
  }

  function note({ id, accountId, url, hostRate, provenAt, enabled }: Target): Known {
    const fresh: Known = {
      accountId,
      host: hostOf(url),
      rate: hostRate,
      isProven: provenAt !== null,
      enabled,
      readMs: performance.now(),
    };
    known.delete(id);
    known.set(id, fresh);
    if (known.size > mostKnown) known.delete(known.keys().next().value!);
    return fresh;
  }

  function release(job: Job, slot: Slot): void {
    count(job.message.endpointId, -1);
    onReady({ ...job, slot });
  }

  function refuse(job: Job, waitMs: number, reason: WaitReason): void {
    count(job.message.endpointId, -1);
    onRefused(job, waitMs, reason);
  }

  async function lookUp(job: Job): Promise<void> {
    try {
      const target = await read(job.message.endpointId);
      if (target) join(job, note(target));
      else release(job, nowhere());
    } catch (error) {
      count(job.message.endpointId, -1);
      onLost(job, error);
    }
  }

  /** Jobs that come in one turn and are counted together ask together. */
  function join(job: Job, of: Known): void {
    // Nothing is sent to it, so there is nothing to wait for.
    if (!of.enabled) {
      release(job, nowhere());
      return;
    }
    // One that had a moment and missed it has had its turn in line.
    const isNew = job.kind === 'live' && job.slot === null;
    const kind: AskKind = job.attempts > 0 ? 'again' : isNew ? 'live' : 'parked';
    const key = `${of.host} ${of.accountId} ${kind} ${of.isProven ? '' : job.message.endpointId}`;
    if (groups.size === 0) setImmediate(askAll);
    const group = groups.get(key) ?? { of, kind, jobs: [] };
    groups.set(key, group);
    group.jobs.push(job);
  }

  function askAll(): void {
    const asked = [...groups.values()];
    groups.clear();
    for (const { of, kind, jobs } of asked) void ask(of, kind, jobs);
  }

  async function ask({ accountId, host, rate, isProven }: Known, kind: AskKind, jobs: Job[]): Promise<void> {
    const unproven = isProven ? null : jobs[0]!.message.endpointId;
    const lead = leadMs();
    const asked = { host, accountId, rate, unproven, kind, count: jobs.length, leadMs: lead };
    const turns = await rates.take(asked);
    const now = performance.now();
    for (const [index, job] of jobs.entries()) {
      const atMs = turns.slotsMs[index];
      if (atMs === undefined) {
        refuse(job, turns.waitsMs[index - turns.slotsMs.length]!, turns.reason);
        continue;
      }
      const waitMs = atMs - now;
      onWait(Math.max(0, waitMs));
      const beginsInMs = waitMs - lead;
      const slot = { atMs, spacingMs: turns.spacingMs, host, isProven };
      if (beginsInMs < 1) release(job, slot);
      else setTimeout(release, Math.ceil(beginsInMs), job, slot);
    }
  }

  return {
    isOver: ({ slot }) => slot === null || performance.now() - slot.atMs > mostLateMs,
    admit(job) {
      const { endpointId } = job.message;
      count(endpointId, 1);
      const of = known.get(endpointId);
      if (of && performance.now() - of.readMs < knownForMs) join(job, of);
      else void lookUp(job);
    },
    async covers({ slot, message }, { url, provenAt }) {
      if (!slot || slot.host !== hostOf(url) || (provenAt === null && slot.isProven)) return false;
      const key = `${slot.host} ${message.accountId}`;
      // Looked at again after every wait: timers that were held up end together.
      for (;;) {
        const now = performance.now();
        const dueMs = pace.dueMs(key, slot.atMs, slot.spacingMs);
        if (Math.max(now, dueMs) - slot.atMs > mostLateMs) return false;
        if (dueMs - now < 1) {
          pace.went(key, now);
          return true;
        }
        await pause(dueMs - now);
      }
    },
    note(target, ms) {
      note(target);
      noteReading(ms);
    },
    forget: endpointId => void known.delete(endpointId),
    lengthOf: endpointId => lengths.get(endpointId) ?? 0,
    length: () => length,
  };
}
