import { sql } from '../../platform/postgres.ts';
import { connectionsByRole } from '../pool-sizes.ts';
import { type Outcome, ok, warning } from './finding.ts';
import type { Patient } from './patient.ts';

type Room = { readonly most: number; readonly used: number; readonly limit_ms: number };

/** Whether PostgreSQL has room for one process of each role, and what a pooler has to set. */
export async function checkConnections({ config, postgres }: Patient): Promise<Outcome> {
  if (!('db' in postgres)) return warning('not looked at, since PostgreSQL is not reached', 'See above.');
  const [room] = await postgres.db.query<Room>(findRoom);
  return config.databasePooler === 'transaction'
    ? judgePooler(room!)
    : judgeConnections(room!, connectionsByRole(config));
}

type Needs = Omit<ReturnType<typeof connectionsByRole>, 'all'>;

/** How many processes there are is not known here, so the reader gets what one of each role needs. */
export function judgeConnections(
  { most, used }: Pick<Room, 'most' | 'used'>,
  { api, redirect, ingest, deliver }: Needs,
): Outcome {
  const needed = api + redirect + ingest + deliver;
  const found =
    `PostgreSQL takes ${most} connections, ${used} are open; one process of each role opens up to ${needed} ` +
    `(${api} for each api, ${redirect} for each redirect, ${ingest} for each ingest, ${deliver} for each deliver)`;
  const next =
    'Raise max_connections, set a smaller DATABASE_POOL_SIZE, or put PgBouncer in between (docs/scaling.md).';
  return most < needed || used > 0.9 * most ? warning(found, next) : ok(found);
}

export function judgePooler({ limit_ms }: Pick<Room, 'limit_ms'>): Outcome {
  return limit_ms > 0
    ? ok(`by a pooler, which ends statements after ${limit_ms / 1000} s`)
    : warning(
        'by a pooler, and a statement that hangs is ended by nobody',
        "Set connect_query='set statement_timeout = 5000; set idle_in_transaction_session_timeout = 10000' in pgbouncer.ini (docs/scaling.md).",
      );
}

/** Those that are kept for superusers are not for us. */
const findRoom = sql(
  'doctor-connections',
  `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
          (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
          extract(epoch from current_setting('statement_timeout')::interval)::float8 * 1000 as limit_ms`,
);
