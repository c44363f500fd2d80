import type { Uuid } from '../../../kernel/ids.ts';
import type { AttemptResult } from '../../webhook.ts';

/** Endpoints whose last attempt succeeded quickly. Bounded: a forgotten one is only polled a little slower. */
export type FastEndpoints = {
  has(id: Uuid): boolean;
  note(id: Uuid, result: Pick<AttemptResult, 'error' | 'durationMs'>): void;
};

const fastMs = 1_000;
const maxEndpoints = 10_000;

export function createFastEndpoints(): FastEndpoints {
  const fast = new Set<Uuid>();
  return {
    has: id => fast.has(id),
    note(id, { error, durationMs }) {
      fast.delete(id);
      if (error === null && durationMs < fastMs) fast.add(id);
      if (fast.size > maxEndpoints) fast.delete(fast.keys().next().value!);
    },
  };
}
