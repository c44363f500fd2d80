import { pendingClickHouseMigrations } from '../platform/clickhouse/clickhouse-migrations.ts';
import { readMigrations } from '../platform/postgres/migration-files.ts';
import { pendingMigrations } from '../platform/postgres/migrations.ts';
import { sql } from '../platform/postgres/postgres.ts';
import type { DoctorContext } from './context.ts';
import { describeError, notChecked, type Outcome, ok, problem, warning } from './finding.ts';

/** Whether both stores have the schema that this version needs. */
export async function checkMigrations({ config, postgres, clickhouse }: DoctorContext): Promise<Outcome> {
  if (!('db' in postgres)) return notChecked('PostgreSQL cannot be reached');
  try {
    const pending = await pendingMigrations(config.databaseUrl);
    const inClickHouse = 'client' in clickhouse ? await pendingClickHouseMigrations(clickhouse.client) : [];
    const all = [...pending, ...inClickHouse.map(name => `${name} (ClickHouse)`)];
    if (all.length > 0) return problem(`pending: ${all.join(', ')}`, 'Run `signpost migrate`.');
  } catch (error) {
    return problem(describeError(error), 'Run the version that belongs to this database.');
  }
  const known = (await readMigrations('postgres')).map(migration => migration.name);
  const newer = await postgres.db.query<{ name: string }>(unknownMigrations, [known]);
  if (newer.length > 0)
    return warning(
      `the database is ahead of this version: ${newer.map(row => row.name).join(', ')}`,
      'That is expected during an upgrade; otherwise run the newer version.',
    );
  const isChecked = 'client' in clickhouse || config.clickhouseUrl === '';
  return ok(`up to date${isChecked ? '' : ' (PostgreSQL; ClickHouse was not checked)'}`);
}

const unknownMigrations = sql(
  'doctor-unknown-migrations',
  'select name from schema_migrations where not name = any($1) order by name',
);

const [warningMs, problemMs] = [2_000, 60_000];

/** Timestamps come from PostgreSQL, leases and limits from Redis. A process with a wrong clock uses PostgreSQL's time. */
export async function checkClock({ postgres, redis }: DoctorContext): Promise<Outcome> {
  const skews: [name: string, ms: number][] = [];
  if ('db' in postgres)
    skews.push([
      'PostgreSQL',
      await measureSkew(async () => {
        const [row] = await postgres.db.query<{ ms: number }>(postgresClock);
        return row!.ms;
      }),
    ]);
  if ('client' in redis)
    skews.push([
      'Redis',
      await measureSkew(async () => {
        const [seconds, micros] = await redis.client.time();
        return Number(seconds) * 1_000 + Number(micros) / 1_000;
      }),
    ]);
  return assessSkews(skews);
}

export const postgresClock = sql(
  'doctor-clock',
  'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
);

/** The difference to the local time halfway between request and response. */
async function measureSkew(readClock: () => Promise<number>): Promise<number> {
  const before = Date.now();
  const remoteMs = await readClock();
  return remoteMs - (before + Date.now()) / 2;
}

export function assessSkews(skews: readonly (readonly [name: string, ms: number])[]): Outcome {
  if (skews.length === 0) return warning('no engine to compare with', 'See above.');
  const differences = skews.map(
    ([name, ms]) => `${name} ${ms < 0 ? '−' : '+'}${Math.abs(ms / 1_000).toFixed(3)} s`,
  );
  const worst = Math.max(...skews.map(([, ms]) => Math.abs(ms)));
  const next = 'Synchronise the clocks of all machines with NTP (chrony, systemd-timesyncd).';
  if (worst > problemMs) return problem(`clocks differ: ${differences.join(', ')}`, next);
  if (worst > warningMs) return warning(`clocks differ: ${differences.join(', ')}`, next);
  return ok(differences.join(', '));
}
