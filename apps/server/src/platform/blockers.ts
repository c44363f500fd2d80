import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Says which transactions block a connection. */
export type Blockers = {
  /** Watches while the work runs. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The last that were seen, one a line; empty where none were. */
  last(): readonly string[];
  close(): void;
};

/** Often enough to ask several times within a lock timeout of half a second. */
const pollMs = 100;
/** The migration waits for the last question of the watcher, so that one must end. */
const answerMs = 1_000;

/**
 * After a lock timeout PostgreSQL no longer tells who held the lock, so a second connection asks during the wait. `onWait` is
 * called at most every `sayEveryMs`.
 */
export function watchBlockers(
  databaseUrl: string,
  pid: number,
  onWait: (blockers: readonly string[]) => void,
  sayEveryMs: number,
): Blockers {
  let watcher: pg.Client | null = null;
  let seen: readonly string[] = [];

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'signpost migrate',
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      keepAlive: true,
    });
    client.on('error', () => drop(client));
    await client.connect();
    return client;
  }

  function drop(client: pg.Client | null): void {
    if (watcher === client) watcher = null;
    // Not waited for: the other end may be silent.
    void client?.end().catch(() => undefined);
  }

  async function find(): Promise<readonly string[]> {
    try {
      watcher ??= await connect();
      const { rows } = await watcher.query<Blocker>(findBlockers, [pid]);
      return rows.map(describe);
    } catch {
      // The migration goes on without knowing what blocks it. The next question gets a new connection.
      drop(watcher);
      return [];
    }
  }

  async function watch(signal: AbortSignal): Promise<void> {
    let saidAtMs = performance.now();
    while (!signal.aborted) {
      await pause(pollMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const found = await find();
      if (found.length > 0) seen = found;
      if (found.length === 0 || performance.now() - saidAtMs < sayEveryMs) continue;
      saidAtMs = performance.now();
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

type Blocker = {
  readonly pid: number;
  readonly application: string;
  readonly state: string | null;
  readonly seconds: number | null;
  readonly query: string;
};

const findBlockers = `
  select a.pid, a.application_name as application, a.state, a.query,
         extract(epoch from clock_timestamp() - coalesce(a.xact_start, a.query_start))::float8 as seconds
    from pg_stat_activity a where a.pid = any(pg_blocking_pids($1)) order by a.xact_start limit 5`;

function describe({ pid, application, state, seconds, query }: Blocker): string {
  const who = [application, state, seconds === null ? '' : `for ${Math.round(seconds)} s`].filter(Boolean);
  return `process ${pid} (${who.join(', ')}): ${withoutValues(query)}`;
}

/** A statement up to its first value: what stands behind may be anybody's. */
export function withoutValues(query: string): string {
  const text = query.replaceAll(/\s+/g, ' ').trim();
  const at = text.search(/'|(?<![\w$])\d|\$(?!\d)/);
  const cut = (at < 0 ? text : text.slice(0, at)).slice(0, 160);
  return cut.length < text.length ? `${cut.trimEnd()} …` : cut;
}
