import type { Config } from '../config.ts';
import type { Clock } from '../kernel/clock.ts';
import { createNats, type Nats } from '../platform/nats.ts';
import type { Database } from '../platform/postgres.ts';
import type { RedisClient } from '../platform/redis.ts';
import { createLeaseBook } from '../redirect/lease-book.ts';
import { createLinkDropper, type LinkDropper } from '../redirect/link-dropper.ts';
import { createNatsBus } from '../redirect/nats-bus.ts';
import type { StopTeller } from '../stops/stop.ts';
import type { Print } from './print.ts';
import { leaseMs } from './redirect.ts';

/** Makes a change of links, or of what is stopped, hold on every redirect process. */
export type RedirectTeller = LinkDropper & StopTeller;

export const openLinks = (
  redis: RedisClient,
  nats: Nats,
  onSlow: (silent: readonly string[]) => void,
): RedirectTeller =>
  createLinkDropper({
    bus: createNatsBus(nats),
    book: createLeaseBook(redis, { leaseMs, timeoutMs: leaseMs }),
    leaseMs,
    patienceMs: 100,
    onSlow,
  });

/** What a command of the operator works on. */
export type AdminEngines = {
  readonly config: Config;
  readonly db: Database;
  readonly redis: RedisClient;
  readonly clock: Clock;
};

/** Without NATS a change holds all the same, once the leases of the redirect processes have run out. */
const natsPatienceMs = 2000;

/** The same for a command, which has no connection to NATS yet. */
export async function withLinks<Result>(
  { config, redis }: AdminEngines,
  print: Print,
  work: (links: RedirectTeller) => Promise<Result>,
): Promise<Result> {
  const nats = createNats(config.natsUrl);
  await nats.whenConnected(AbortSignal.timeout(natsPatienceMs)).catch(() => {});
  const links = openLinks(redis, nats, silent =>
    print(
      `${silent.length} redirect processes do not answer. Waiting until they may no longer serve from memory.`,
    ),
  );
  try {
    return await work(links);
  } finally {
    await nats.close();
  }
}
