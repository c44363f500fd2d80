import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Precondition } from '../kernel/precondition.ts';
import { createListedFinder, type ListedFinder } from '../moderation/lists/listed.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { CacheInvalidator } from '../redirect/changes/cache-invalidator.ts';
import { checkRules } from '../rules/checks.ts';
import type { WantedRule } from '../rules/code-rules.ts';
import { createCodeCreation } from './creation/creation.ts';
import { createUpsert } from './creation/upsert.ts';
import { createBulkEdit } from './edits/bulk-edit.ts';
import { deleteWanted } from './edits/deletion.ts';
import { createUpdate } from './edits/update.ts';
import { reading } from './listing/reading.ts';
import { refuseUnknown } from './refusals.ts';
import { refuseBlocked } from './targets/blocked-hosts.ts';
import { checkDestinations, type OwnAddressCheck, refuseListed } from './targets/destination.ts';

type Parts = {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly ownAddresses: OwnAddressCheck;
  readonly links: CacheInvalidator;
  /** Finds destinations on blocklists; left out, on the imported ones. */
  readonly listed?: ListedFinder;
  /** The minimum length of a short code that a caller chooses; left out, the contract's. */
  readonly minCustomCodeLength?: number;
  /** Live codes that users of an account that signed up may create in 24 hours; null: no such limit. */
  readonly newAccountCodesPerDay?: number | null;
};

export type QrCodes = ReturnType<typeof createQrCodes>;

/** QR codes of accounts: created, edited, read, deleted. */
export function createQrCodes(parts: Parts) {
  const { minCustomCodeLength = 3, newAccountCodesPerDay: codesPerDay = null } = parts;
  const { ids, clock, ownAddresses, links, listed = createListedFinder() } = parts;
  const shared = { ids, clock, ownAddresses, links, listed };
  const creation = createCodeCreation({ ...shared, minCustomCodeLength, codesPerDay });
  const update = createUpdate(shared);

  return {
    ...reading,
    ...creation,
    update,
    upsert: createUpsert({ create: creation.create, update }),
    bulk: createBulkEdit(shared),

    /** Refuses rules that may not be saved. */
    async validateRules(on: Database, wanted: { readonly rules: readonly WantedRule[] }): Promise<void> {
      checkRules(wanted);
      checkDestinations({ routing: wanted }, ownAddresses);
      const [item] = await refuseListed(on, listed, [{ routing: wanted }]);
      if (item instanceof AppError) throw item;
      await refuseBlocked(on, { routing: wanted });
    },

    async delete(on: Database, caller: Caller, id: Uuid | null, required: Precondition = {}): Promise<Uuid> {
      const keys = id ? await deleteWanted(on, caller, [id], clock.now(), required) : [];
      if (keys.length === 0) refuseUnknown();
      await on.afterCommit(() => links.invalidate(keys));
      return id!;
    },
  };
}
