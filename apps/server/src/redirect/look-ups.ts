import type { DatabaseWatch } from './database-watch.ts';
import type { Link } from './link.ts';
import type { LinkStore } from './store.ts';

/** Asks PostgreSQL for links, many in one question, and no more questions at a time than it has use for. */
export type LookUps = {
  /** The answer of a question that is put after this call. Rejects where PostgreSQL could not be asked. */
  find(key: string): Promise<Link | null>;
  /** Whether somebody waits for this key already, by a question that is yet to be put. */
  isQueued(key: string): boolean;
  stop(): void;
};

type Options = {
  readonly store: LinkStore;
  readonly watch: Pick<DatabaseWatch, 'ask' | 'silentMs' | 'onAnswer'>;
  /** Whether the error says that PostgreSQL is down: asking again at once is of no use. */
  readonly isRefusal: (error: unknown) => boolean;
  readonly silenceMs: number;
};

/** More would wait inside PostgreSQL rather than here. One whose connection is dead gives its place up. */
const mostBatches = 4;
const batchKeys = 100;

/** How often a question is put before it has failed. */
const mostTries = 3;

type Question = {
  readonly key: string;
  readonly answer: PromiseWithResolvers<Link | null>;
  tries: number;
  /** Tries that are under way: the first answer counts, and only the last failure. */
  open: number;
};

export function createLookUps({ store, watch, isRefusal, silenceMs }: Options): LookUps {
  /** Not put yet, so that whoever comes may share them. */
  const queue = new Map<string, Question>();
  /** Put before, and to be put again. Nobody may join: an answer to the first try may be older than they are. */
  const again: Question[] = [];
  let batches = 0;

  function pump(): void {
    while (again.length + queue.size > 0 && batches < mostBatches && watch.silentMs() < silenceMs)
      void askSome();
  }

  function nextBatch(): Question[] {
    const batch = again.splice(0, batchKeys);
    for (const question of queue.values().take(batchKeys - batch.length)) batch.push(question);
    for (const question of batch) {
      if (queue.get(question.key) === question) queue.delete(question.key);
      question.tries++;
      question.open++;
    }
    return batch;
  }

  async function askSome(): Promise<void> {
    const batch = nextBatch();
    batches++;
    let hasPlace = true;
    const leave = () => {
      if (hasPlace) batches--;
      hasPlace = false;
    };
    // PostgreSQL answers others but not this: the connection is dead, and another gets the question.
    const hedge = setInterval(() => {
      if (watch.silentMs() >= silenceMs) return;
      leave();
      tryAgain(batch);
    }, silenceMs);
    try {
      const links = await watch.ask(() => store.find(batch.map(({ key }) => key)));
      for (const { key, answer } of batch) answer.resolve(links.get(key) ?? null);
    } catch (error) {
      for (const question of batch) question.open--;
      if (isRefusal(error)) for (const { answer } of batch) answer.reject(error);
      else tryAgain(batch, error);
    } finally {
      clearInterval(hedge);
      leave();
      pump();
    }
  }

  /** A connection that broke may only have been one of a server that was restarted. */
  function tryAgain(batch: readonly Question[], error?: unknown): void {
    for (const question of batch) {
      if (again.includes(question)) continue;
      if (question.tries < mostTries) again.push(question);
      else if (error !== undefined && question.open === 0) question.answer.reject(error);
    }
    pump();
  }

  watch.onAnswer(pump);
  return {
    find(key) {
      const queued = queue.get(key);
      if (queued) return queued.answer.promise;
      const question: Question = { key, answer: Promise.withResolvers(), tries: 0, open: 0 };
      queue.set(key, question);
      pump();
      return question.answer.promise;
    },
    isQueued: key => queue.has(key),
    stop() {
      for (const { answer } of [...queue.values(), ...again.splice(0)])
        answer.reject(new Error('The process is stopping'));
      queue.clear();
    },
  };
}
