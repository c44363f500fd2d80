import {
  type Database,
  isLockTimeout,
  lacksPartition,
  sql,
  unprepared,
} from '../platform/postgres/postgres.ts';

/** How many days after today have a partition before an attempt needs it. */
const daysAhead = 2;

/** The longest that a drop waits for its lock: deliver's transactions queue behind it. */
const lockMs = 200;

/** Writes attempts that began at these times. A day without a partition gets one, and is written again. */
export async function withDays<Result>(
  db: Database,
  times: readonly Date[],
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!lacksPartition(error)) throw error;
    await createDays(
      db,
      times.map(at => at.toISOString().slice(0, 10)),
    );
    return await write();
  }
}

/** The days that have a partition, as 2026-11-15. */
export async function listDays(db: Database): Promise<readonly string[]> {
  return (await db.query<{ day: string }>(everyDay)).map(({ day }) => day);
}

/** Creates the days that are near by PostgreSQL's clock. */
export async function createDaysAhead(db: Database): Promise<void> {
  const days = await db.query<{ day: string }>(nearDays, [daysAhead]);
  await createDays(
    db,
    days.map(({ day }) => day),
  );
}

async function createDays(db: Database, days: readonly string[]): Promise<void> {
  for (const day of new Set(days)) {
    if (!isDay(day) || (await hasPartition(db, day))) continue;
    await db.transaction(async tx => {
      // Another process may be creating it.
      await tx.query(lockDays);
      if (await hasPartition(tx, day)) return;
      // `partition of` would lock out everybody who writes or reads attempts, and wait for a backup; `attach` does neither.
      await tx.query(
        unprepared(`create table if not exists ${toTable(day)} (like webhook_attempts including all)`),
      );
      await tx.query(
        unprepared(
          `alter table webhook_attempts attach partition ${toTable(day)}
             for values from ('${day} 00:00Z') to (timestamptz '${day} 00:00Z' + interval '24 hours')`,
        ),
      );
    });
  }
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);

const toTable = (day: string) => `webhook_attempts_${day.replaceAll('-', '_')}`;

async function hasPartition(db: Database, day: string): Promise<boolean> {
  const [found] = await db.query<{ exists: boolean }>(findPartition, [toTable(day)]);
  return found!.exists;
}

/**
 * Drops the days that ended more than thirty days ago by PostgreSQL's clock, and returns them. One whose lock is not free, as
 * during a backup, is dropped by a later call.
 */
export async function dropOldDays(db: Database): Promise<readonly string[]> {
  const dropped: string[] = [];
  for (const { name } of await db.query<{ name: string }>(oldDays)) {
    try {
      await db.transaction(async tx => {
        await tx.query(limitLock, [String(lockMs)]);
        await tx.query(unprepared(`drop table if exists ${name}`));
      });
    } catch (error) {
      if (isLockTimeout(error)) break;
      throw error;
    }
    dropped.push(name);
  }
  return dropped;
}

const nearDays = sql(
  'webhook-near-days',
  `select to_char((now() at time zone 'UTC')::date + n, 'YYYY-MM-DD') as day from generate_series(0, $1::integer) n`,
);

const everyDay = sql(
  'webhook-every-day',
  `select replace(right(c.relname, 10), '_', '-') as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhook_attempts'::regclass order by 1`,
);

const lockDays = sql(
  'webhook-lock-days',
  `select pg_advisory_xact_lock(hashtextextended('webhook attempt days', 0))`,
);

const findPartition = sql(
  'webhook-find-partition',
  `select exists (select from pg_inherits where inhparent = 'webhook_attempts'::regclass and inhrelid = to_regclass($1)) as exists`,
);

const limitLock = sql('webhook-limit-lock', `select set_config('lock_timeout', $1, true)`);

const oldDays = sql(
  'webhook-old-days',
  `select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhook_attempts'::regclass
      and right(c.relname, 10) < to_char((now() at time zone 'UTC')::date - 30, 'YYYY_MM_DD')
    order by 1`,
);
