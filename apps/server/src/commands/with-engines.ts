import type { Config } from '../config/config.ts';
import type { Print } from '../kernel/print.ts';
import { measureDatabaseClock } from '../platform/database-clock.ts';
import { createPostgres } from '../platform/postgres.ts';
import { createRedis } from '../platform/redis.ts';
import type { AdminEngines } from '../roles/links.ts';
import { requireForAdmin } from '../roles/starting.ts';

/** Opens the stores for a command of the operator, and closes them after it. Says what is wrong if they can't be reached. */
export async function withEngines(
  config: Config,
  print: Print,
  work: (engines: AdminEngines) => Promise<void>,
): Promise<void> {
  await requireForAdmin(config, print);
  const db = createPostgres(config, () => {});
  const redis = createRedis(config, () => {});
  // Without this, the first command to Redis could fail because the client has not connected yet.
  await new Promise<void>(resolve => {
    redis.once('ready', resolve);
    redis.once('error', () => resolve());
  });
  try {
    await work({ config, db, redis, clock: await measureDatabaseClock(db) });
  } finally {
    redis.disconnect();
    await db.close();
  }
}
