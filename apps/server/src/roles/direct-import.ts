import { hashApiKey, parseBearer } from '../accounts/api-key.ts';
import { createAccountStore } from '../accounts/store.ts';
import type { Config } from '../config.ts';
import { AppError } from '../kernel/errors.ts';
import { createIds } from '../kernel/ids.ts';
import type { ImportedLink } from '../moving/imported-link.ts';
import type { Failure } from '../moving/report.ts';
import { measuredClock } from '../platform/database-clock.ts';
import { createPostgres } from '../platform/postgres.ts';
import { createRedis } from '../platform/redis.ts';
import type { Own } from '../qrcodes/destination.ts';
import { createQrCodes } from '../qrcodes/service.ts';
import { withLinks } from './links.ts';
import { ownAddressesOf } from './own-names.ts';
import type { Print } from './print.ts';
import { requireForAdmin } from './starting.ts';

/** Where an import finds what is there, and makes what is not. */
export type ImportTarget = {
  readonly own: Own;
  readonly taken: ReadonlySet<string>;
  /** So many at a time; returns those that were refused. */
  make(links: readonly ImportedLink[]): Promise<Failure[]>;
};

/**
 * On the stores of the service, as only the operator can: past MIN_CHOSEN_CODE and past the limit on new codes in a minute,
 * which keep strangers from taking names. The key says whose the codes are; the quota of the plan holds.
 */
export async function importDirectly(
  config: Config,
  key: string,
  print: Print,
  work: (target: ImportTarget) => Promise<void>,
): Promise<void> {
  await requireForAdmin(config, print);
  const db = createPostgres(config, () => {});
  const redis = createRedis(config, () => {});
  // Without this the first change could find a client that has not yet connected.
  await new Promise<void>(resolve => {
    redis.once('ready', resolve);
    redis.once('error', () => resolve());
  });
  try {
    const parsed = parseBearer(`Bearer ${key}`);
    const caller = parsed && (await createAccountStore(db).findCaller(hashApiKey(parsed)));
    if (!caller) throw new AppError('unauthorized', 'SIGNPOST_KEY is not a good key of this service.');
    const clock = await measuredClock(db);
    const own = ownAddressesOf(config);
    await withLinks({ config, db, redis, clock }, print, async links => {
      const qrcodes = createQrCodes({ ids: createIds(clock), clock, own, links });
      const taken = new Set<string>();
      for (let page = 1, more = true; more; page++) {
        const { items } = await qrcodes.list(db, caller, { page, limit: 100 }, null);
        for (const { shortCode } of items) taken.add(shortCode.toLowerCase());
        more = items.length > 0;
      }
      await work({
        own,
        taken,
        async make(imported) {
          const wanted = imported.map(({ name, destinationUrl, shortCode }) =>
            qrcodes.checked({ name, destinationUrl, shortCode, status: 'active', style: {} }),
          );
          const outcomes = await qrcodes.createMany(db, caller, wanted, false);
          return outcomes.flatMap((outcome, index) =>
            'error' in outcome ? [{ link: imported[index]!, why: outcome.error.message }] : [],
          );
        },
      });
    });
  } finally {
    redis.disconnect();
    await db.close();
  }
}
