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
  readonly watch: Pick<DatabaseWatch, 'ask' | 'silentMs' | 'onReturn'>;
  /** Whether the error says that PostgreSQL is down: asking again at once is of no use. */
  readonly isRefusal: (error: unknown) => boolean;
  readonly silenceMs: number;
};

/** More would wait inside PostgreSQL rather than here. */
const mostBatches = 4;
const batchKeys = 100;

type Question = {
  readonly key: string;
  readonly answer: PromiseWithResolvers<Link | null>;
  isRetry: boolean;
};

export function createLookUps({ store, watch, isRefusal, silenceMs }: Options): LookUps {
  const queue = new Map<string, Question>();
  let batches = 0;

  function pump(): void {
    while (queue.size > 0 && batches < mostBatches && watch.silentMs() < silenceMs) void askNext();
  }

  async function askNext(): Promise<void> {
    const batch = [...queue.values().take(batchKeys)];
    for (const { key } of batch) queue.delete(key);
    batches++;
    // PostgreSQL answers others but not this: the connection is dead, and another gets the question.
    const hedge = setInterval(() => watch.silentMs() < silenceMs && retry(batch), silenceMs);
    try {
      const links = await watch.ask(() => store.find(batch.map(({ key }) => key)));
      for (const { key, answer } of batch) answer.resolve(links.get(key) ?? null);
    } catch (error) {
      // One that broke may only have been that of a server which was restarted: the question is put once more.
      if (isRefusal(error)) for (const { answer } of batch) answer.reject(error);
      else retry(batch, error);
    } finally {
      clearInterval(hedge);
      batches--;
      pump();
    }
  }

  /** Puts questions once more; whichever answer comes first counts. */
  function retry(batch: readonly Question[], error?: unknown): void {
    for (const question of batch) {
      const { key, answer } = question;
      const queued = queue.get(key);
      if (queued) queued.answer.promise.then(answer.resolve, answer.reject);
      else if (!question.isRetry) {
        question.isRetry = true;
        queue.set(key, question);
      } else if (error !== undefined) answer.reject(error);
    }
    pump();
  }

  watch.onReturn(pump);
  return {
    find(key) {
      const queued = queue.get(key);
      if (queued) return queued.answer.promise;
      const question: Question = { key, answer: Promise.withResolvers(), isRetry: false };
      queue.set(key, question);
      pump();
      return question.answer.promise;
    },
    isQueued: key => queue.has(key),
    stop() {
      for (const { answer } of queue.values()) answer.reject(new Error('The process is stopping'));
      queue.clear();
    },
  };
}
