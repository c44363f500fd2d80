import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Finds the transactions that hold the locks a connection waits for. */
export type LockHolders = {
  /** Watches while `work` runs. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The last ones seen, a line each; empty if there were none. */
  last(): readonly string[];
  close(): void;
};

/** Often enough to look several times within a lock timeout of half a second. */
const pollMs = 100;
/** The migration waits for the watcher's last query, so that query must end. */
const queryTimeoutMs = 1_000;

/**
 * After a lock timeout PostgreSQL no longer knows who held the lock, so a second connection asks during the wait. `onWait` is
 * called at most every `notifyEveryMs`.
 */
export function watchLockHolders(
  databaseUrl: string,
  pid: number,
  onWait: (holders: readonly string[]) => void,
  notifyEveryMs: number,
): LockHolders {
  let watcher: pg.Client | null = null;
  let seen: readonly string[] = [];

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'signpost migrate',
      connectionTimeoutMillis: queryTimeoutMs,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
    });
    client.on('error', () => drop(client));
    await client.connect();
    return client;
  }

  function drop(client: pg.Client | null): void {
    if (watcher === client) watcher = null;
    // Not awaited: the other end may not answer.
    void client?.end().catch(() => undefined);
  }

  async function find(): Promise<readonly string[]> {
    try {
      watcher ??= await connect();
      const { rows } = await watcher.query<LockHolder>(findLockHolders, [pid]);
      return rows.map(describe);
    } catch {
      // The migration goes on without knowing what blocks it. The next query gets a new connection.
      drop(watcher);
      return [];
    }
  }

  async function watch(signal: AbortSignal): Promise<void> {
    let notifiedAtMs = performance.now();
    while (!signal.aborted) {
      await pause(pollMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const found = await find();
      if (found.length > 0) seen = found;
      if (found.length === 0 || performance.now() - notifiedAtMs < notifyEveryMs) continue;
      notifiedAtMs = performance.now();
      onWait(found);
    }
  }

  return {
    async during(work) {
      seen = [];
      const done = new AbortController();
      const watching = watch(done.signal);
      try {
        return await work();
      } finally {
        done.abort();
        await watching;
      }
    },
    last: () => seen,
    close: () => drop(watcher),
  };
}

type LockHolder = {
  readonly pid: number;
  readonly application: string;
  readonly state: string | null;
  readonly seconds: number | null;
  readonly query: string;
};

const findLockHolders = `
  select a.pid, a.application_name as application, a.state, a.query,
         extract(epoch from clock_timestamp() - coalesce(a.xact_start, a.query_start))::float8 as seconds
    from pg_stat_activity a where a.pid = any(pg_blocking_pids($1)) order by a.xact_start limit 5`;

function describe({ pid, application, state, seconds, query }: LockHolder): string {
  const details = [application, state, seconds === null ? '' : `for ${Math.round(seconds)} s`].filter(
    Boolean,
  );
  return `process ${pid} (${details.join(', ')}): ${withoutValues(query)}`;
}

/** A statement up to its first value: values may be personal data. */
function withoutValues(query: string): string {
  const text = query.replaceAll(/\s+/g, ' ').trim();
  const at = text.search(/'|(?<![\w$])\d|\$(?!\d)/);
  const cut = (at < 0 ? text : text.slice(0, at)).slice(0, 160);
  return cut.length < text.length ? `${cut.trimEnd()} …` : cut;
}
