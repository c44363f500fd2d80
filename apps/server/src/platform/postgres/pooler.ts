import type pg from 'pg';

/**
 * Whether a pooler such as PgBouncer is between this connection and PostgreSQL. A pooler issues its own cancel keys, so it
 * announces another process id than the one that answers.
 */
export async function isPooled(client: pg.Client): Promise<boolean> {
  const { processID: announced } = client as pg.Client & { readonly processID?: number };
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid !== announced;
}

/** A pooler that DATABASE_POOLER does not declare: session settings and prepared statements would fail at random. */
export class UndeclaredPoolerError extends Error {
  readonly finding = 'there is a pooler such as PgBouncer between this process and PostgreSQL';
  readonly remedy =
    'Set DATABASE_POOLER=transaction, also for session mode, or point DATABASE_URL at PostgreSQL itself.';

  constructor() {
    super();
    this.message = `${this.finding}. ${this.remedy}`;
  }
}

export const needsDirect =
  'There is a pooler such as PgBouncer in between, and this command depends on the state of its connections. Point ' +
  'DATABASE_DIRECT_URL at PostgreSQL itself.';
