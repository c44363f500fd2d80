import { type Config, withoutSharedEngines } from '../../config/config.ts';
import { countWaiting } from '../../ingest/lag/lag.ts';
import { isSolo } from '../../kernel/addresses/engine-address.ts';
import type { Logger } from '../../platform/logger.ts';
import { createNats } from '../../platform/nats/nats.ts';
import { createPostgres } from '../../platform/postgres/postgres.ts';
import { findSoleProcess } from '../../platform/process-channel.ts';
import { createLogMeter } from '../../scans/log/meter.ts';

const natsTimeoutMs = 2_000;
/** For a look at the database before its checks, which have time limits of their own. */
const lookTimeoutMs = 2_000;

/**
 * The settings that `solo` works with. It ignores Redis and NATS, unless scans of this installation wait in NATS: nothing would
 * ever count them.
 */
export async function ignoreSharedEngines(given: Config, logger: Logger): Promise<Config> {
  const { config, ignored } = withoutSharedEngines(given);
  if (ignored.length === 0) return config;
  const waiting = given.natsUrl === '' ? 0 : await waitingInNats(given, logger);
  if (waiting > 0)
    throw new Error(
      `NATS_URL: ${waiting} batches of scans wait in NATS, and \`signpost solo\` does not count them. Run \`signpost all\` until \`signpost doctor\` reports 0 entries behind, then start \`signpost solo\`; or remove NATS_URL to leave them.`,
    );
  logger.warn({ ignored }, 'these settings are ignored: solo uses neither redis nor nats');
  return config;
}

/** The settings of a command: without Redis and NATS while `solo` runs on the database, whatever they say. */
export async function settingsBeside(config: Config): Promise<Config> {
  if (isSolo(config)) return config;
  const db = createPostgres(
    { ...config, databasePoolSize: 1, connectTimeoutMs: lookTimeoutMs },
    () => undefined,
  );
  // A database that cannot be reached is reported by whoever needs it.
  const solo = await findSoleProcess(db)
    .catch(() => null)
    .finally(() => db.close());
  return solo ? withoutSharedEngines(config).config : config;
}

async function waitingInNats(config: Config, logger: Logger): Promise<number> {
  const nats = createNats(config.logNatsUrl);
  const db = createPostgres({ ...config, databasePoolSize: 1 }, () => undefined);
  try {
    await nats.whenConnected(AbortSignal.timeout(natsTimeoutMs));
    return await countWaiting(
      db,
      createLogMeter(() => nats.connection()),
    );
  } catch (error) {
    logger.warn({ err: error }, 'nats does not answer: scans that wait there are not counted');
    return 0;
  } finally {
    await nats.close();
    await db.close();
  }
}
