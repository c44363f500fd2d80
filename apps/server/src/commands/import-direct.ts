import { hashApiKey, parseBearer } from '../accounts/api-key.ts';
import { createAccountStore } from '../accounts/store.ts';
import type { Config } from '../config/config.ts';
import { AppError } from '../kernel/errors.ts';
import { createIds } from '../kernel/ids.ts';
import type { Print } from '../kernel/print.ts';
import { collectOwnAddresses } from '../qrcodes/creation/own-names.ts';
import type { ImportedLink } from '../qrcodes/import-export/imported-link.ts';
import { toPlaceKey } from '../qrcodes/import-export/plan.ts';
import type { ImportFailure } from '../qrcodes/import-export/report.ts';
import { createQrCodes } from '../qrcodes/service.ts';
import type { OwnAddressCheck } from '../qrcodes/targets/destination.ts';
import { withLinks } from '../roles/links.ts';
import { toRulesChange } from '../rules/wire.ts';
import { withEngines } from './with-engines.ts';

/** Where an import creates codes. */
export type ImportTarget = {
  readonly own: OwnAddressCheck;
  /** What exists already, by `toPlaceKey`. */
  readonly taken: ReadonlySet<string>;
  /** The hosts of the active domains of the account. */
  listDomains(): Promise<readonly string[]>;
  /** Creates a batch of codes; returns those that were refused. */
  createMany(links: readonly ImportedLink[], reclaim: boolean): Promise<ImportFailure[]>;
};

const newestFirst = { by: 'created', direction: 'desc' } as const;

/**
 * Imports into the stores, which only the operator can reach: without MIN_CUSTOM_CODE_LENGTH and the limit on new codes per minute,
 * both of which keep other people from grabbing names. The key decides which account gets the codes; the plan's quota applies.
 */
export async function importDirectly(
  config: Config,
  key: string,
  print: Print,
  work: (target: ImportTarget) => Promise<void>,
): Promise<void> {
  await withEngines(config, print, async engines => {
    const { db, clock } = engines;
    const parsed = parseBearer(`Bearer ${key}`);
    const caller = parsed && (await createAccountStore(db).findCaller(hashApiKey(parsed)));
    if (!caller) throw new AppError('unauthorized', 'SIGNPOST_KEY is not a valid key of this service.');
    if (!caller.permissions.has('qrcodes:write'))
      throw new AppError('forbidden', 'SIGNPOST_KEY lacks qrcodes:write. Use a key that has it.');
    const own = collectOwnAddresses(config, engines.linkNames);
    await withLinks(engines, print, async links => {
      const qrcodes = createQrCodes({ ids: createIds(clock), clock, ownAddresses: own, links });
      const taken = new Set<string>();
      for (let page = 1, more = true; more; page++) {
        const { items } = await qrcodes.list(db, caller, {}, newestFirst, { page, limit: 100 });
        for (const { shortCode, domain } of items) taken.add(toPlaceKey(shortCode, domain));
        more = items.length > 0;
      }
      await work({
        own,
        taken,
        listDomains: async () =>
          (await listDomains(db, caller.accountId)).flatMap(({ host, status }) =>
            status === 'active' ? host : [],
          ),
        async createMany(imported, reclaim) {
          const wanted = imported.map(({ name, destinationUrl, shortCode, domain, tags, routing }) =>
            qrcodes.validate({
              name,
              destinationUrl,
              shortCode,
              domain,
              reclaim,
              tags,
              status: 'active',
              style: {},
              routing: toRulesChange(routing),
            }),
          );
          const outcomes = await qrcodes.createMany(db, caller, wanted, false);
          return outcomes.flatMap((outcome, index) =>
            'error' in outcome ? [{ link: imported[index]!, reason: outcome.error.message }] : [],
          );
        },
      });
    });
  });
}
