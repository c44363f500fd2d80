import { hash32 } from '../kernel/hash32.ts';
import { fold } from './conditions.ts';
import type { Conditions, Rule } from './rule.ts';

/** Names of regions and cities that scans can have. */
export type PlaceNames = { has(place: Place): boolean };

/** The names of the files that locations are looked up in; null if they cannot be read. */
export type PlaceNamesSource = () => Promise<PlaceNames | null>;

/** A region, or a city in a country or in a region of it, as a condition of a rule names it. */
export type Place = { readonly country: string; readonly region?: string; readonly city?: string };

type Location = { readonly country: string; readonly region: string; readonly city: string };

type ReadLocations = (visit: (location: Location) => void) => Promise<void>;

/**
 * Collects the names of a place file as sorted hashes: some hundred thousand names take a megabyte. Two names that have the
 * same hash hide one missing name of ten thousand, which costs a warning and nothing else.
 */
export async function hashPlaceNames(readLocations: ReadLocations): Promise<Uint32Array> {
  const found = new Set<number>();
  /** By country and region, of which there are some thousand: most records share theirs with many others. */
  const seeds = new Map<string, readonly [inCountry: number, inRegion: number]>();
  await readLocations(({ country, region, city }) => {
    const key = `${country}\n${region}`;
    let known = seeds.get(key);
    if (!known) {
      known = [hashParents({ country, city }), hashParents({ country, region, city })];
      seeds.set(key, known);
      if (region !== '') found.add(hashPlace({ country, region }));
    }
    if (city === '') return;
    const folded = fold(city);
    found.add(hash32(folded, known[0]));
    found.add(hash32(folded, known[1]));
  });
  return Uint32Array.from(found).sort();
}

export const createPlaceNames = (hashes: Uint32Array): PlaceNames => ({
  has: place => includes(hashes, hashPlace(place)),
});

const hashPlace = (place: Place): number =>
  hash32(fold(place.city ?? place.region ?? ''), hashParents(place));

/** Of everything but the name itself. The three kinds of place begin differently: a region is no city. */
function hashParents({ country, region, city }: Place): number {
  if (city === undefined) return hash32(country, 1);
  return region === undefined ? hash32(country, 2) : hash32(fold(region), hash32(country, 3));
}

function includes(sorted: Uint32Array, wanted: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted;
}

type RuleWithPlaces = Pick<Rule, 'when' | 'unless'>;

/** The regions and cities that rules name. */
export const listRulePlaces = (rules: readonly RuleWithPlaces[]): readonly Place[] =>
  rules.flatMap(({ when, unless }) => [...listPlaces(when), ...listPlaces(unless)]);

export const listPlaces = ({ region = [], city = [] }: Conditions): readonly Place[] => [...region, ...city];

/** `the city Munich in Bavaria, DE`. */
export function placeInWords({ country, region, city }: Place): string {
  if (city === undefined) return `the region ${region} in ${country}`;
  return region === undefined
    ? `the city ${city} in ${country}`
    : `the city ${city} in ${region}, ${country}`;
}
