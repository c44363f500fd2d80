import type { Config } from '../config/config.ts';
import { isSolo } from '../kernel/addresses/engine-address.ts';
import { createLinkNames } from '../kernel/addresses/link-names.ts';
import type { Print } from '../kernel/print.ts';
import { measureDatabaseClock } from '../platform/postgres/database-clock.ts';
import { createPostgres } from '../platform/postgres/postgres.ts';
import { openProcessChannel } from '../platform/process-channel.ts';
import { createRedis, type RedisClient } from '../platform/redis/redis.ts';
import { settingsBeside } from '../roles/engines/ignored-engines.ts';
import { requireForAdmin } from '../roles/engines/starting.ts';
import type { AdminEngines } from '../roles/links.ts';

/** Opens the stores for a command of the operator, and closes them after it. Says what is wrong if they can't be reached. */
export async function withEngines(
  given: Config,
  print: Print,
  work: (engines: AdminEngines) => Promise<void>,
): Promise<void> {
  const config = await settingsBeside(given);
  await requireForAdmin(config, print);
  const db = createPostgres(config, () => {});
  const redis = isSolo(config) ? null : await openRedis(config);
  const channel = await openProcessChannel(config.databaseDirectUrl);
  try {
    await work({
      config,
      linkNames: createLinkNames(config.shortBaseUrl),
      db,
      redis,
      channel,
      clock: await measureDatabaseClock(db),
    });
  } finally {
    redis?.disconnect();
    await channel.close();
    await db.close();
  }
}

/** Connected, or known not to be: the first command must not fail because the client has not connected yet. */
async function openRedis(config: Config): Promise<RedisClient> {
  const redis = createRedis(config, () => {});
  await new Promise<void>(resolve => {
    redis.once('ready', resolve);
    redis.once('error', () => resolve());
  });
  return redis;
}
