import { destinationPattern, maxDestinationLength } from '@signpost/contract';
import { AppError } from '../../kernel/errors.ts';
import { createListedFinder } from '../../moderation/lists/listed.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { lockBlockList, refuseBlocked } from './blocked-hosts.ts';
import { checkDestination, type OwnAddressCheck, refuseListed } from './destination.ts';

/**
 * Refuses URLs that no code may lead to, for those who store URLs of their own. Runs in the transaction that writes them,
 * before anything is locked: a host that is blocked later finds them.
 */
export function createTargetCheck(ownAddresses: OwnAddressCheck) {
  const listed = createListedFinder();
  return async (tx: Database, urls: readonly string[]): Promise<void> => {
    await lockBlockList(tx);
    for (const url of urls) {
      if (!pattern.test(url) || [...url].length > maxDestinationLength)
        throw new AppError(
          'invalid_url',
          `${url} is not an http or https URL of at most ${maxDestinationLength} characters without spaces.`,
        );
      checkDestination(url, ownAddresses);
      const leading = { destinationUrl: url };
      const [item] = await refuseListed(tx, listed, [leading]);
      if (item instanceof AppError) throw item;
      await refuseBlocked(tx, leading);
    }
  };
}

const pattern = new RegExp(destinationPattern, 'u');
