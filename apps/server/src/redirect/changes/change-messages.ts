import type { Changes } from './change.ts';

/** Changes of several callers that are sent as one. */
export type ChangeMessages<Outcome> = {
  /** Resolves to the outcome of the message that these changes were part of; of the last one where they need several. */
  add(changes: Changes): Promise<Outcome>;
};

type Options<Outcome> = {
  readonly send: (changes: Changes) => Promise<Outcome>;
  /** From one message to the next. The first after a pause is sent at once. */
  readonly intervalMs: () => number;
  readonly worst: (outcomes: readonly Outcome[]) => Outcome;
  readonly nowMs?: () => number;
};

type ChangeMessage<Outcome> = {
  readonly keys: string[];
  readonly stops: Changes['stops'][number][];
  readonly outcome: PromiseWithResolvers<Outcome>;
};

/** A message of NATS has 1 MiB at most; a change takes about a hundred bytes. */
const maxChanges = 2000;

export function createChangeMessages<Outcome>(options: Options<Outcome>): ChangeMessages<Outcome> {
  const { send, intervalMs, worst, nowMs = () => performance.now() } = options;
  let open: ChangeMessage<Outcome> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let sentAtMs = Number.NEGATIVE_INFINITY;

  function sendOpen(): void {
    clearTimeout(timer);
    const message = open;
    open = null;
    if (!message) return;
    sentAtMs = nowMs();
    send(message).then(message.outcome.resolve, message.outcome.reject);
  }

  function addToMessage(changes: Changes): Promise<Outcome> {
    if (open && countChanges(open) + countChanges(changes) > maxChanges) sendOpen();
    const isFirst = open === null;
    open ??= { keys: [], stops: [], outcome: Promise.withResolvers<Outcome>() };
    open.keys.push(...changes.keys);
    open.stops.push(...changes.stops);
    const { promise } = open.outcome;
    const waitMs = sentAtMs + intervalMs() - nowMs();
    if (waitMs <= 0) sendOpen();
    else if (isFirst) timer = setTimeout(sendOpen, waitMs);
    return promise;
  }

  return {
    async add(changes) {
      if (countChanges(changes) <= maxChanges) return addToMessage(changes);
      const parts: Promise<Outcome>[] = [];
      for (let at = 0; at < Math.max(changes.keys.length, changes.stops.length); at += maxChanges / 2)
        parts.push(
          addToMessage({
            keys: changes.keys.slice(at, at + maxChanges / 2),
            stops: changes.stops.slice(at, at + maxChanges / 2),
          }),
        );
      return worst(await Promise.all(parts));
    },
  };
}

const countChanges = ({ keys, stops }: Changes): number => keys.length + stops.length;
