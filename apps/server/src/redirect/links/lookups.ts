import type { DatabaseWatch } from './database-watch.ts';
import type { Link } from './link.ts';
import type { LinkStore } from './store.ts';

/** Looks links up in PostgreSQL, many in one query, with no more queries at a time than it can use. */
export type Lookups = {
  /** The answer of a query that is sent after this call. Rejects where PostgreSQL did not answer. */
  find(key: string): Promise<Link | null>;
  /** Whether a look-up of this key already waits for a query that is yet to be sent. */
  isQueued(key: string): boolean;
  stop(): void;
};

type Options = {
  readonly store: LinkStore;
  readonly watch: Pick<DatabaseWatch, 'track' | 'silentMs' | 'limitMs' | 'onAnswer'>;
  /** Whether the error says that PostgreSQL is down: a retry at once is of no use. */
  readonly isRefusal: (error: unknown) => boolean;
  readonly silenceMs: number;
};

/** More would only wait inside PostgreSQL. A query whose connection is dead no longer counts. */
const maxQueries = 4;
const keysPerQuery = 100;

/** How often a look-up is sent before it has failed. */
const maxTries = 3;

type Lookup = {
  readonly key: string;
  readonly answer: PromiseWithResolvers<Link | null>;
  tries: number;
  /** Tries under way: the first answer counts, and only the last failure. */
  openTries: number;
};

export function createLookups({ store, watch, isRefusal, silenceMs }: Options): Lookups {
  /** Not sent yet, so that later requests may share them. */
  const queue = new Map<string, Lookup>();
  /** Sent before, and to be sent again. No request may join: the answer to the first try may be older than the request. */
  const retries: Lookup[] = [];
  let queries = 0;

  function sendQueries(): void {
    while (retries.length + queue.size > 0 && queries < maxQueries && watch.silentMs() < silenceMs)
      void sendQuery();
  }

  function nextLookups(): Lookup[] {
    const lookups = retries.splice(0, keysPerQuery);
    for (const lookup of queue.values().take(keysPerQuery - lookups.length)) lookups.push(lookup);
    for (const lookup of lookups) {
      if (queue.get(lookup.key) === lookup) queue.delete(lookup.key);
      lookup.tries++;
      lookup.openTries++;
    }
    return lookups;
  }

  async function sendQuery(): Promise<void> {
    const lookups = nextLookups();
    queries++;
    let isCounted = true;
    const uncount = () => {
      if (isCounted) queries--;
      isCounted = false;
    };
    // PostgreSQL answers other queries but not this one: its connection is dead, so the query is sent over another.
    const hedge = setInterval(() => {
      if (watch.silentMs() >= silenceMs) return;
      uncount();
      retry(lookups);
    }, watch.limitMs());
    try {
      const links = await watch.track(() => store.find(lookups.map(({ key }) => key)));
      for (const { key, answer } of lookups) answer.resolve(links.get(key) ?? null);
    } catch (error) {
      for (const lookup of lookups) lookup.openTries--;
      if (isRefusal(error)) for (const { answer } of lookups) answer.reject(error);
      else retry(lookups, error);
    } finally {
      clearInterval(hedge);
      uncount();
      sendQueries();
    }
  }

  /** A broken connection may only mean that the server was restarted. */
  function retry(lookups: readonly Lookup[], error?: unknown): void {
    for (const lookup of lookups) {
      if (retries.includes(lookup)) continue;
      if (lookup.tries < maxTries) retries.push(lookup);
      else if (error !== undefined && lookup.openTries === 0) lookup.answer.reject(error);
    }
    sendQueries();
  }

  watch.onAnswer(sendQueries);
  return {
    find(key) {
      const queued = queue.get(key);
      if (queued) return queued.answer.promise;
      const lookup: Lookup = { key, answer: Promise.withResolvers(), tries: 0, openTries: 0 };
      queue.set(key, lookup);
      sendQueries();
      return lookup.answer.promise;
    },
    isQueued: key => queue.has(key),
    stop() {
      for (const { answer } of [...queue.values(), ...retries.splice(0)])
        answer.reject(new Error('The process is stopping'));
      queue.clear();
    },
  };
}
