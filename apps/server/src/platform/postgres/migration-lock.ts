import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Print } from '../../kernel/print.ts';

/** A number that nothing else locks: only one migrator works at a time. */
const lock = 7_305_101_104;

const pollMs = 250;
const printEveryMs = 30_000;
/** An index on a very large table takes its time. A migration that still holds the lock by then hangs. */
const giveUpAfterMs = 6 * 60 * 60 * 1000;

/**
 * Polls for the lock instead of waiting for it: a statement that waits holds a snapshot, and `create index concurrently` of
 * the migrator that has the lock would wait for that snapshot to end.
 */
export async function takeMigrationLock(client: pg.Client, print: Print): Promise<void> {
  const startMs = performance.now();
  let nextPrintMs = 0;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      lock,
    ]);
    if (rows[0]!.taken) return;
    const waitedMs = performance.now() - startMs;
    if (waitedMs >= nextPrintMs) {
      nextPrintMs = waitedMs + printEveryMs;
      const holder = await findHolder(client);
      if (holder !== null) print(`Another migration is under way (${holder}). Waiting until it has ended.`);
    }
    if (waitedMs > giveUpAfterMs)
      throw new Error(
        'Another migration has been running for six hours. End its process, then run `signpost migrate` again.',
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
  return `PostgreSQL process ${pid}, from ${address ?? 'this machine'}, since ${since.toISOString()}`;
}
