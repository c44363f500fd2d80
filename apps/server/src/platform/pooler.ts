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

/** A pooler that DATABASE_POOLER does not name: what is sent on connecting and prepared later would fail at random. */
export class UndeclaredPooler extends Error {
  readonly seen = 'a pooler such as PgBouncer stands between this process and PostgreSQL';
  readonly cure =
    'Set DATABASE_POOLER=transaction, in session mode too, or let DATABASE_URL lead to PostgreSQL itself.';

  constructor() {
    super();
    this.message = `${this.seen}. ${this.cure}`;
  }
}

export const needsDirect =
  'A pooler such as PgBouncer stands in between, and this command needs connections that stay the same. Let ' +
  'DATABASE_DIRECT_URL lead to PostgreSQL itself.';
