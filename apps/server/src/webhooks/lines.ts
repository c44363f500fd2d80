import type { Uuid } from '../kernel/ids.ts';
import type { Kind, Places } from './places.ts';
import type { Message } from './webhook.ts';

/** A message that is to be tried. */
export type Job = {
  readonly message: Message;
  readonly kind: Kind;
  /** Tries in this round, and in all, before this one. */
  readonly tries: number;
  readonly attempts: number;
  /** Past this moment (`performance.now`) somebody else may take it up. */
  readonly oursUntilMs: number;
  /** When it may be tried, and where; none before it has asked. */
  readonly slot: Slot | null;
  ack(): void;
};

/** A moment (`performance.now`) at which a host may be tried, for an endpoint with or without a success. */
export type Slot = {
  readonly atMs: number;
  /** How far from it the next of the account may be. */
  readonly spacingMs: number;
  readonly host: string;
  readonly isProven: boolean;
};

/** Jobs that wait in memory for a place, a line an endpoint. The lines take turns; within one, new events go first. */
export type Lines = {
  add(job: Job): void;
  /** A job for which a place was found, and taken; null where there is none. */
  next(): Job | null;
  /** Takes out the new events that have waited since before this moment. */
  takeOlder(thanMs: number): Job[];
  lengthOf(endpointId: Uuid): number;
  length(): number;
};

type Line = { readonly live: { job: Job; sinceMs: number }[]; readonly stored: Job[] };

export function createLines(places: Places): Lines {
  // A Map keeps its order of insertion: a line that had its turn is put in again at the end.
  const lines = new Map<Uuid, Line>();
  let length = 0;

  function take(endpointId: Uuid, line: Line): Job | null {
    const [first] = line.live;
    if (first && places.take(endpointId, 'live')) {
      line.live.shift();
      return first.job;
    }
    const [stored] = line.stored;
    if (stored && places.take(endpointId, 'stored')) {
      line.stored.shift();
      return stored;
    }
    return null;
  }

  return {
    add(job) {
      const { endpointId } = job.message;
      const line = lines.get(endpointId) ?? { live: [], stored: [] };
      lines.set(endpointId, line);
      if (job.kind === 'live') line.live.push({ job, sinceMs: performance.now() });
      else line.stored.push(job);
      length++;
    },
    next() {
      if (places.free('live') <= 0) return null;
      for (const [endpointId, line] of lines) {
        const job = take(endpointId, line);
        if (!job) continue;
        length--;
        lines.delete(endpointId);
        if (line.live.length + line.stored.length > 0) lines.set(endpointId, line);
        return job;
      }
      return null;
    },
    takeOlder(thanMs) {
      const old: Job[] = [];
      for (const [endpointId, line] of lines) {
        while (line.live[0] && line.live[0].sinceMs < thanMs) old.push(line.live.shift()!.job);
        if (line.live.length + line.stored.length === 0) lines.delete(endpointId);
      }
      length -= old.length;
      return old;
    },
    lengthOf: endpointId => {
      const line = lines.get(endpointId);
      return line ? line.live.length + line.stored.length : 0;
    },
    length: () => length,
  };
}
