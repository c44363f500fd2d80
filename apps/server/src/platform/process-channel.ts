import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { AppError } from '../kernel/errors.ts';
import { withTimeout } from '../kernel/running/with-timeout.ts';
import { poll } from './background-jobs.ts';
import { type Database, sql } from './postgres/postgres.ts';

/** A number that nothing else locks: whoever holds it is the only process of the installation. */
export const soleProcessLock = 7_305_101_105;

/** From commands to the only process, and its answers: the ids of messages that it has applied. */
export const [changeChannel, doneChannel] = ['signpost_changes', 'signpost_changes_done'] as const;

export type ChannelMessage = { readonly id: string; readonly change: unknown };

/** The longest message that PostgreSQL carries is a little longer, by far the most changes are shorter. */
const [maxMessageBytes, overheadBytes] = [7_500, 500];
const [answerMs, resendMs, giveUpMs] = [5_000, 500, 10_000];

/** For a command beside the only process: tells it of changes, and waits until it has applied them. */
export type ProcessChannel = {
  /**
   * To be called after the commit. Resolves when they are applied, or at once if no such process runs: one that starts later
   * reads what is committed. Each change must fit into a message.
   */
  send(changes: readonly unknown[]): Promise<void>;
  close(): Promise<void>;
};

export async function openProcessChannel(databaseUrl: string): Promise<ProcessChannel> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'signpost command',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
  const waiting = new Map<string, () => void>();
  client.on('error', () => undefined);
  client.on('notification', ({ payload = '' }) => waiting.get(payload)?.());
  await client.connect();
  const isRunning = async () => (await client.query(findHolder, [soleProcessLock])).rows.length > 0;
  await client.query(`listen ${doneChannel}`);

  /** Sent again until it is applied: a process that is just starting may not listen yet. */
  async function deliver(change: unknown): Promise<void> {
    const message: ChannelMessage = { id: randomUUID(), change };
    const text = JSON.stringify(message);
    if (Buffer.byteLength(text) > maxMessageBytes) throw new Error('The change is too large for a message');
    const applied = new Promise<void>(resolve => waiting.set(message.id, resolve));
    const startedMs = performance.now();
    try {
      while (performance.now() - startedMs < giveUpMs) {
        await client.query('select pg_notify($1, $2)', [changeChannel, text]);
        const outcome = await withTimeout(resendMs, applied).then(
          () => 'applied',
          () => 'silent',
        );
        if (outcome === 'applied' || !(await isRunning())) return;
      }
    } finally {
      waiting.delete(message.id);
    }
    throw new AppError(
      'unavailable',
      'The change is saved, but the running process has not confirmed it. Run the command again.',
      { retryAfterSeconds: 1 },
    );
  }

  return {
    async send(changes) {
      if (await isRunning()) await Promise.all(changes.map(deliver));
    },
    close: () => client.end(),
  };
}

/** Cuts a list into parts that fit into a message each. */
export function splitIntoParts<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  let left = 0;
  for (const item of items) {
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > left) {
      parts.push([]);
      left = maxMessageBytes - overheadBytes;
    }
    left -= bytes;
    parts.at(-1)!.push(item);
  }
  return parts;
}

/** The session of the only process, if it runs. */
export async function findSoleProcess(db: Database): Promise<{ readonly since: Date } | null> {
  const rows = await db.query<{ since: Date }>(sql('find-sole-process', findHolder), [soleProcessLock]);
  return rows[0] ?? null;
}

const watchEveryMs = 200;

/**
 * Looks for the only process until it is known that none runs. While PostgreSQL does not answer, one may run as far as is
 * known. `onNone` is called if one was seen before.
 */
export function watchForSole(db: Database, onNone: () => void): { mayRun(): boolean; stop(): Promise<void> } {
  let mayRun = true;
  let wasSeen = false;
  const stopPolling = poll(watchEveryMs, async () => {
    if (!mayRun) return;
    const holder = await findSoleProcess(db).catch(() => undefined);
    if (holder === undefined) return;
    mayRun = holder !== null;
    if (mayRun) wasSeen = true;
    else if (wasSeen) onNone();
  });
  return { mayRun: () => mayRun, stop: stopPolling };
}

/** The session that holds the lock, if there is one. */
export const findHolder = `
  select a.pid, a.application_name as name, coalesce(host(a.client_addr), 'this machine') as address,
         a.backend_start as since
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
   where l.locktype = 'advisory' and l.granted and l.objsubid = 1
     and l.database = (select oid from pg_database where datname = current_database())
     and (l.classid::bigint << 32) + l.objid::bigint = $1`;
