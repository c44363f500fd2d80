import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

/** Any number that nothing else locks: only one migrator works at a time. */
const lock = 7_305_101_104;

const pollMs = 250;
const sayEveryMs = 30_000;
/** An index on a very large table takes its time. A migration that still holds the lock by then hangs. */
const patienceMs = 6 * 60 * 60 * 1000;

/**
 * Asked for again and again rather than waited for: a statement that waits holds a snapshot, and `create index concurrently`
 * of the one who has the lock would wait for that snapshot to go.
 */
export async function takeMigrationLock(client: pg.Client, say: (line: string) => void): Promise<void> {
  const startMs = performance.now();
  let nextSayMs = 0;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      lock,
    ]);
    if (rows[0]!.taken) return;
    const waitedMs = performance.now() - startMs;
    if (waitedMs >= nextSayMs) {
      nextSayMs = waitedMs + sayEveryMs;
      const holder = await findHolder(client);
      if (holder !== null) say(`Another migration is under way (${holder}). Waiting until it has ended.`);
    }
    if (waitedMs > patienceMs)
      throw new Error(
        'Another migration has been under way for six hours. End its process, then run `signpost migrate` again.',
      );
    await pause(pollMs);
  }
}

export async function releaseMigrationLock(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_unlock($1)', [lock]);
}

async function findHolder(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ pid: number; address: string | null; since: Date }>(
    `select a.pid, host(a.client_addr) as address, a.backend_start as since
       from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.granted and l.objsubid = 1
        and l.database = (select oid from pg_database where datname = current_database())
        and (l.classid::bigint << 32) + l.objid::bigint = $1`,
    [lock],
  );
  const [holder] = rows;
  if (!holder) return null;
  const { pid, address, since } = holder;
  return `process ${pid} of PostgreSQL, from ${address ?? 'this machine'}, since ${since.toISOString()}`;
}
