import pg from 'pg';
import { within } from '../kernel/within.ts';
import { unavailable } from './postgres.ts';

/** Asks PostgreSQL whether it answers, over connections of its own. */
export type PostgresProbe = {
  /** Resolves when it answers, rejects when it refuses or the time is up. */
  ask(): Promise<void>;
  close(): void;
};

type Attempt = { readonly client: pg.Client; readonly answer: Promise<void> };

/**
 * A question that has no answer in time stays open: where PostgreSQL was frozen, it is answered the moment it goes on, before
 * any new connection could be made. Beside the oldest one a new connection is tried each time, for where the old ones are dead.
 */
export function createPostgresProbe(databaseUrl: string, timeoutMs: number): PostgresProbe {
  let standing: pg.Client | null = null;
  const attempts: Attempt[] = [];

  const end = (client: pg.Client) => void client.end().catch(() => undefined);

  function createClient(): pg.Client {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'signpost probe' });
    client.on('error', () => {
      if (standing === client) standing = null;
    });
    return client;
  }

  async function query(client: pg.Client, isNew: boolean): Promise<void> {
    if (isNew) await client.connect();
    await client.query('select 1');
  }

  function begin(): void {
    const client = standing ?? createClient();
    const answer = query(client, standing === null);
    standing = null;
    const attempt = { client, answer };
    attempts.push(attempt);
    answer.then(
      () => {
        for (const other of attempts.splice(0)) if (other !== attempt) end(other.client);
        if (standing) end(client);
        else standing = client;
      },
      () => {
        const at = attempts.indexOf(attempt);
        if (at >= 0) attempts.splice(at, 1);
        end(client);
      },
    );
  }

  return {
    async ask() {
      // The oldest stays; of those after it only the newest.
      for (const { client } of attempts.splice(1)) end(client);
      begin();
      try {
        await within(timeoutMs, Promise.race(attempts.map(({ answer }) => answer)));
      } catch (error) {
        throw unavailable(error);
      }
    },
    close() {
      for (const { client } of attempts.splice(0)) end(client);
      if (standing) end(standing);
      standing = null;
    },
  };
}
