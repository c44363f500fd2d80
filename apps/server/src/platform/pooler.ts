import type pg from 'pg';

/**
 * Whether something like PgBouncer stands between this connection and PostgreSQL. It keeps keys of its own for cancelling,
 * so it announces another process than the one that answers.
 */
export async function isPooled(client: pg.Client): Promise<boolean> {
  const { processID: announced } = client as pg.Client & { readonly processID?: number };
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid !== announced;
}

export const poolerUnsaid =
  'A pooler such as PgBouncer stands between this process and PostgreSQL. Set DATABASE_POOLER=transaction, or let ' +
  'DATABASE_URL lead to PostgreSQL itself.';

export const needsDirect =
  'A pooler such as PgBouncer stands in between, and this command needs connections that stay the same. Let ' +
  'DATABASE_DIRECT_URL lead to PostgreSQL itself.';
