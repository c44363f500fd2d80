import type { Config } from '../config/config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Print } from '../kernel/print.ts';
import { createNats, type Nats } from '../platform/nats.ts';
import type { Database } from '../platform/postgres.ts';
import type { RedisClient } from '../platform/redis.ts';
import { createAckTimes } from '../redirect/acknowledgements.ts';
import { type ChangeNotifier, createChangeNotifier } from '../redirect/change-notifier.ts';
import { createChangePublisher } from '../redirect/change-publisher.ts';
import { createChangeStream } from '../redirect/change-stream.ts';
import { createLeaseRegistry } from '../redirect/lease-registry.ts';
import { changeStreamOptions, leaseMs } from './stream-options.ts';

type Engines = {
  readonly config: Pick<Config, 'scanLogReplicas'>;
  readonly redis: RedisClient;
  readonly nats: Nats;
};

/** Makes changes hold on every redirect process. */
export function openLinks(
  { config, redis, nats }: Engines,
  onSlow: (silent: readonly string[]) => void,
): ChangeNotifier {
  const times = createAckTimes({ minMs: minAckMs, maxMs: leaseMs / 2 });
  const stream = createChangeStream(nats, changeStreamOptions(config));
  return createChangeNotifier({
    publisher: createChangePublisher({ nats, stream, times }),
    registry: createLeaseRegistry(redis, { leaseMs, timeoutMs: leaseMs }),
    leaseMs,
    times,
    onSlow,
  });
}

/**
 * A redirect process gets at least this long to acknowledge, however near it is: a pause of a busy machine should not cost it
 * its lease. A process that is gone costs an edit a whole lease in any case.
 */
const minAckMs = 250;

/** What an operator's command works with. */
export type AdminEngines = {
  readonly config: Config;
  readonly db: Database;
  readonly redis: RedisClient;
  readonly clock: Clock;
};

/** Without NATS a change still applies once the leases of the redirect processes have expired. */
const natsTimeoutMs = 2000;

/** The same for a command, which opens its own connection to NATS. */
export async function withLinks<Result>(
  { config, redis }: AdminEngines,
  print: Print,
  work: (links: ChangeNotifier) => Promise<Result>,
): Promise<Result> {
  const nats = createNats(config.busNatsUrl);
  await nats.whenConnected(AbortSignal.timeout(natsTimeoutMs)).catch(() => {});
  const links = openLinks({ config, redis, nats }, silent =>
    print(`${silent.length} redirect processes do not answer. Waiting until their leases have expired.`),
  );
  try {
    return await work(links);
  } finally {
    await nats.close();
  }
}
