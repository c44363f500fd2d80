import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Says for whom a connection waits. */
export type Blockers = {
  /** Looks on while the work runs. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** For whom it has waited last, one in a line; empty where nobody was seen. */
  last(): readonly string[];
  close(): Promise<void>;
};

const pollMs = 250;

/**
 * Once a lock was not had, nobody can say any more who had it: so somebody else looks on. `onWait` is called at most every
 * `sayEveryMs` while the wait goes on.
 */
export function watchBlockers(
  databaseUrl: string,
  pid: number,
  onWait: (blockers: readonly string[]) => void,
  sayEveryMs: number,
): Blockers {
  let looker: pg.Client | null = null;
  let seen: readonly string[] = [];

  async function look(): Promise<readonly string[]> {
    if (!looker) {
      looker = new pg.Client({ connectionString: databaseUrl, application_name: 'signpost migrate' });
      looker.on('error', () => {
        looker = null;
      });
      await looker.connect();
    }
    const { rows } = await looker.query<Blocker>(findBlockers, [pid]);
    return rows.map(describe);
  }

  async function lookOn(signal: AbortSignal): Promise<void> {
    let saidAtMs = performance.now();
    while (!signal.aborted) {
      await pause(pollMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      // A migration goes on where nobody can say for whom it waits.
      const found = await look().catch(() => []);
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
      const looking = lookOn(done.signal);
      try {
        return await work();
      } finally {
        done.abort();
        await looking;
      }
    },
    last: () => seen,
    async close() {
      await looker?.end();
    },
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
