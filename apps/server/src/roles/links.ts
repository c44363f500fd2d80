import type { Config } from '../config/config.ts';
import type { LinkNames } from '../kernel/addresses/link-names.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Print } from '../kernel/print.ts';
import { withTimeout } from '../kernel/running/with-timeout.ts';
import { tokenKey } from '../limits/rate-limiter.ts';
import { createNats, type Nats } from '../platform/nats/nats.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { type ProcessChannel, splitIntoParts } from '../platform/process-channel.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { createAckTimes } from '../redirect/changes/acknowledgements.ts';
import { type ChangeNotifier, createChangeNotifier } from '../redirect/changes/change-notifier.ts';
import { createChangePublisher } from '../redirect/changes/change-publisher.ts';
import { createChangeStream } from '../redirect/changes/change-stream.ts';
import { createLeaseRegistry } from '../redirect/changes/lease-registry.ts';
import type { CommandChange } from './command-change.ts';
import { changeStreamOptions, leaseMs } from './engines/stream-options.ts';

type LinkEngines = {
  readonly config: Pick<Config, 'scanLogReplicas'>;
  readonly redis: RedisClient;
  readonly nats: Nats;
};

/** Makes changes hold on every redirect process. */
export function openLinks(
  { config, redis, nats }: LinkEngines,
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
  readonly linkNames: LinkNames;
  readonly db: Database;
  /** Null for an installation that is one process. */
  readonly redis: RedisClient | null;
  /** Reaches the process of `signpost solo`, if it runs. */
  readonly channel: ProcessChannel;
  readonly clock: Clock;
};

/** Ends the token of an account, so that no process uses a key of it that it has cached. */
export const tokenEnder =
  ({ redis, channel }: Pick<AdminEngines, 'redis' | 'channel'>) =>
  async (accountId: Uuid): Promise<void> => {
    const change: CommandChange = { accounts: [accountId] };
    await channel.send([change]);
    if (redis) await withTimeout(redisTimeoutMs, redis.del(tokenKey(accountId)));
  };

const redisTimeoutMs = 1000;
/** Without NATS a change still applies once the leases of the redirect processes have expired. */
const natsTimeoutMs = 2000;

/** Makes changes of a command hold on every process that serves short links. It opens its own connection to NATS. */
export async function withLinks<Result>(
  { config, redis, channel }: AdminEngines,
  print: Print,
  work: (links: ChangeNotifier) => Promise<Result>,
): Promise<Result> {
  const beside = notifierOver(channel);
  if (!redis) return work(beside);
  const nats = createNats(config.busNatsUrl);
  await nats.whenConnected(AbortSignal.timeout(natsTimeoutMs)).catch(() => {});
  const links = openLinks({ config, redis, nats }, silent =>
    print(`${silent.length} redirect processes do not answer. Waiting until their leases have expired.`),
  );
  try {
    return await work({
      async invalidate(keys) {
        await Promise.all([links.invalidate(keys), beside.invalidate(keys)]);
      },
      async notify(stops) {
        await Promise.all([links.notify(stops), beside.notify(stops)]);
      },
      async number(keys) {
        const [isNumbered] = await Promise.all([links.number(keys), beside.number(keys)]);
        return isNumbered;
      },
    });
  } finally {
    await nats.close();
  }
}

function notifierOver(channel: ProcessChannel): ChangeNotifier {
  const send = (changes: readonly CommandChange[]) => channel.send(changes);
  const invalidate = (keys: readonly string[]) => send(splitIntoParts(keys).map(part => ({ keys: part })));
  return {
    invalidate,
    notify: stops => send(splitIntoParts(stops).map(part => ({ stops: part }))),
    async number(keys) {
      await invalidate(keys);
      return true;
    },
  };
}
