import pg from 'pg';
import { withTimeout } from '../../kernel/running/with-timeout.ts';
import { databaseUnavailable } from './postgres.ts';

/** Checks whether PostgreSQL answers, over its own connections. */
export type PostgresProbe = {
  /** Resolves when it answers, rejects when it refuses or the time is up. */
  ping(): Promise<void>;
  /** The shortest of the last round trips; null before the first. A PostgreSQL that was frozen for a while is no farther away. */
  roundTripMs(): number | null;
  close(): void;
};

type Attempt = { readonly client: pg.Client; readonly answer: Promise<void> };

const keptTrips = 8;

/**
 * A ping without an answer in time stays open: if PostgreSQL was frozen, it answers the moment it continues, before any new
 * connection could be made. Beside the oldest ping each call tries a new connection, in case the old ones are dead.
 */
export function createPostgresProbe(databaseUrl: string, timeoutMs: number): PostgresProbe {
  let idle: pg.Client | null = null;
  const attempts: Attempt[] = [];
  const trips: number[] = [];

  const close = (client: pg.Client) => void client.end().catch(() => undefined);

  function createClient(): pg.Client {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'signpost probe' });
    client.on('error', () => {
      if (idle === client) idle = null;
    });
    return client;
  }

  async function query(client: pg.Client, isNew: boolean): Promise<void> {
    if (isNew) await client.connect();
    const askedMs = performance.now();
    await client.query('select 1');
    if (trips.push(performance.now() - askedMs) > keptTrips) trips.shift();
  }

  function startAttempt(): void {
    const client = idle ?? createClient();
    const answer = query(client, idle === null);
    idle = null;
    const attempt = { client, answer };
    attempts.push(attempt);
    answer.then(
      () => {
        for (const other of attempts.splice(0)) if (other !== attempt) close(other.client);
        if (idle) close(client);
        else idle = client;
      },
      () => {
        const at = attempts.indexOf(attempt);
        if (at >= 0) attempts.splice(at, 1);
        close(client);
      },
    );
  }

  return {
    async ping() {
      // The oldest attempt stays, and of the others only the newest.
      for (const { client } of attempts.splice(1)) close(client);
      startAttempt();
      try {
        await withTimeout(timeoutMs, Promise.race(attempts.map(({ answer }) => answer)));
      } catch (error) {
        throw databaseUnavailable(error);
      }
    },
    roundTripMs: () => (trips.length === 0 ? null : Math.min(...trips)),
    close() {
      for (const { client } of attempts.splice(0)) close(client);
      if (idle) close(idle);
      idle = null;
    },
  };
}
