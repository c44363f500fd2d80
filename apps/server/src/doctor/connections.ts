import { isSolo } from '../kernel/addresses/engine-address.ts';
import { connectionsByRole } from '../platform/postgres/pool-sizes.ts';
import { sql } from '../platform/postgres/postgres.ts';
import type { DoctorContext } from './context.ts';
import { notChecked, type Outcome, ok, warning } from './finding.ts';

type Capacity = { readonly max: number; readonly used: number; readonly limit_ms: number };

/** Whether PostgreSQL has enough connections for one process of each role, or whether a pooler limits statements. */
export async function checkConnections({ config, postgres }: DoctorContext): Promise<Outcome> {
  if (!('db' in postgres)) return notChecked('PostgreSQL cannot be reached');
  const [capacity] = await postgres.db.query<Capacity>(findCapacity);
  return config.databasePooler === 'transaction'
    ? assessPooler(capacity!)
    : isSolo(config)
      ? assessSolo(capacity!, connectionsByRole(config))
      : assessConnections(capacity!, connectionsByRole(config));
}

function assessSolo(
  { max, used }: Pick<Capacity, 'max' | 'used'>,
  { solo }: { readonly solo: number },
): Outcome {
  const found = `PostgreSQL allows ${max} connections, ${used} are open; the process opens up to ${solo}`;
  return max < solo
    ? warning(found, 'Raise max_connections, or set a smaller DATABASE_POOL_SIZE.')
    : ok(found);
}

type Needs = Omit<ReturnType<typeof connectionsByRole>, 'all' | 'solo'>;

/** The number of processes is not known here, so the finding says what one of each role needs. */
export function assessConnections(
  { max, used }: Pick<Capacity, 'max' | 'used'>,
  { api, redirect, ingest, deliver }: Needs,
): Outcome {
  const needed = api + redirect + ingest + deliver;
  const found =
    `PostgreSQL allows ${max} connections, ${used} are open; one process of each role opens up to ${needed} ` +
    `(${api} for each api, ${redirect} for each redirect, ${ingest} for each ingest, ${deliver} for each deliver)`;
  const next =
    'Raise max_connections, set a smaller DATABASE_POOL_SIZE, or put PgBouncer in between (docs/self-hosting/scaling.md).';
  return max < needed || used > 0.9 * max ? warning(found, next) : ok(found);
}

function assessPooler({ limit_ms }: Pick<Capacity, 'limit_ms'>): Outcome {
  return limit_ms > 0
    ? ok(`through a pooler, which ends statements after ${limit_ms / 1000} s`)
    : warning(
        'through a pooler without a statement timeout: a statement that hangs is never ended',
        "Set connect_query='set statement_timeout = 5000; set idle_in_transaction_session_timeout = 10000' in pgbouncer.ini (docs/self-hosting/scaling.md).",
      );
}

/** Without the connections that are reserved for superusers. */
const findCapacity = sql(
  'doctor-connections',
  `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max,
          (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
          extract(epoch from current_setting('statement_timeout')::interval)::float8 * 1000 as limit_ms`,
);
