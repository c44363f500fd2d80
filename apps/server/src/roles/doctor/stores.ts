import { pendingClickHouseMigrations } from '../../platform/clickhouse-migrations.ts';
import { readMigrations } from '../../platform/migration-files.ts';
import { pendingMigrations } from '../../platform/migrations.ts';
import { sql } from '../../platform/postgres.ts';
import { type Outcome, ok, problem, warning, wordsOf } from './finding.ts';
import type { Patient } from './patient.ts';

/** Whether both stores are as this version needs them. */
export async function checkMigrations({ config, postgres, clickhouse }: Patient): Promise<Outcome> {
  if (!('db' in postgres)) return warning('not looked at, since PostgreSQL is not reached', 'See above.');
  try {
    const pending = await pendingMigrations(config.databaseUrl);
    const inClickHouse = 'client' in clickhouse ? await pendingClickHouseMigrations(clickhouse.client) : [];
    const all = [...pending, ...inClickHouse.map(name => `${name} (ClickHouse)`)];
    if (all.length > 0) return problem(`pending: ${all.join(', ')}`, 'Run `signpost migrate`.');
  } catch (error) {
    return problem(wordsOf(error), 'Run the program that belongs to this database.');
  }
  const known = (await readMigrations('postgres')).map(migration => migration.name);
  const newer = await postgres.db.query<{ name: string }>(unknownMigrations, [known]);
  if (newer.length > 0)
    return warning(
      `the database is ahead of this version: ${newer.map(row => row.name).join(', ')}`,
      'That is right during an upgrade; otherwise run the newer version.',
    );
  return ok(`up to date${'client' in clickhouse ? '' : ' (PostgreSQL; ClickHouse was not looked at)'}`);
}

const unknownMigrations = sql(
  'doctor-unknown-migrations',
  'select name from schema_migrations where not name = any($1) order by name',
);

const [oddMs, wrongMs] = [2_000, 60_000];

/** Everything is dated by PostgreSQL, leases and limits by Redis. A process with a wrong clock uses PostgreSQL's time. */
export async function checkClock({ postgres, redis }: Patient): Promise<Outcome> {
  const skews: [name: string, ms: number][] = [];
  if ('db' in postgres)
    skews.push([
      'PostgreSQL',
      await skewOf(async () => {
        const [row] = await postgres.db.query<{ ms: number }>(postgresClock);
        return row!.ms;
      }),
    ]);
  if ('client' in redis)
    skews.push([
      'Redis',
      await skewOf(async () => {
        const [seconds, micros] = await redis.client.time();
        return Number(seconds) * 1_000 + Number(micros) / 1_000;
      }),
    ]);
  return judgeSkews(skews);
}

export const postgresClock = sql(
  'doctor-clock',
  'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
);

/** The difference to the middle of question and answer. */
async function skewOf(ask: () => Promise<number>): Promise<number> {
  const before = Date.now();
  const there = await ask();
  return there - (before + Date.now()) / 2;
}

export function judgeSkews(skews: readonly (readonly [name: string, ms: number])[]): Outcome {
  if (skews.length === 0) return warning('no engine to compare with', 'See above.');
  const words = skews.map(
    ([name, ms]) => `${name} ${ms < 0 ? '−' : '+'}${Math.abs(ms / 1_000).toFixed(3)} s`,
  );
  const worst = Math.max(...skews.map(([, ms]) => Math.abs(ms)));
  const next = 'Let NTP (chrony, systemd-timesyncd) set the clocks of all machines.';
  if (worst > wrongMs) return problem(`clocks differ: ${words.join(', ')}`, next);
  if (worst > oddMs) return warning(`clocks differ: ${words.join(', ')}`, next);
  return ok(words.join(', '));
}
