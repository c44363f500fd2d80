import { toCompact } from '@signpost/qr';
import { TimeoutError, withTimeout } from '../../kernel/running/with-timeout.ts';
import { listRulePlaces, type PlaceNames, type PlaceNamesSource } from '../../rules/place-names.ts';
import type { Rule } from '../../rules/rule.ts';
import { warnOfRules } from '../../rules/warnings.ts';
import type { QrCode } from '../qr-code.ts';

type NamedPlaces = readonly Partial<Pick<Rule, 'when' | 'unless'>>[] | null | undefined;

/** Names of places are read from a file: before a transaction, and only where a rule names a place. */
export const readPlaces = async (
  source: PlaceNamesSource,
  rules: NamedPlaces,
): Promise<PlaceNames | null> => {
  const named = (rules ?? []).map(({ when = {}, unless = {} }) => ({ when, unless }));
  return listRulePlaces(named).length > 0 ? await source() : null;
};

const maxWaitMs = 2000;

const usualImage = 'The image is the usual one: the link of this code cannot be compact.';

/** The first time takes seconds: a save does not wait for it, and has no warnings of places then. */
export async function readPlacesForSave(
  source: PlaceNamesSource,
  rules: NamedPlaces,
): Promise<PlaceNames | null> {
  try {
    return await withTimeout(maxWaitMs, readPlaces(source, rules));
  } catch (error) {
    if (error instanceof TimeoutError) return null;
    throw error;
  }
}

/** What is wrong with the rules of a code that was saved, or with its style; nothing where nothing is. */
export function presentWarnings(
  { routing, placements, style }: QrCode,
  places: PlaceNames | null,
  /** Of a code that was created: how its image differs from its style is said once. */
  shortUrl: string | null = null,
): { readonly warnings?: string[] } {
  const warnings = warnOfRules(routing.rules, { placements: placements.map(({ key }) => key), places });
  const isUsual = shortUrl !== null && style.compact === true && !toCompact(shortUrl);
  const all = isUsual ? [...warnings, usualImage] : warnings;
  return all.length > 0 ? { warnings: all } : {};
}
