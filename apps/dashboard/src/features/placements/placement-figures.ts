import type { Placement } from '@signpost/contract';
import { language } from '../../strings/language.ts';
import { placementsText as text } from '../../strings/placements.ts';
import type { Report } from '../analytics/queries.ts';

/** A place with its figures. Scans without a place, and of places that were removed, have a line too. */
export type PlacementLine = {
  readonly key: string;
  readonly name: string;
  readonly placement: Placement | null;
  /** Null while they are loaded. */
  readonly scans: number | null;
  readonly visitors: number | null;
};

export const orders = ['added', 'scans', 'name'] as const;
export type Order = (typeof orders)[number];

export function linesOf(
  placements: readonly Placement[],
  figures: Report['placements'] | undefined,
): readonly PlacementLine[] {
  const byKey = new Map(figures?.map(one => [one.key, one]));
  const own = placements.map(placement => {
    const { key, name } = placement;
    const found = byKey.get(key);
    byKey.delete(key);
    const none = figures === undefined ? null : 0;
    return { key, name, placement, scans: found?.scans ?? none, visitors: found?.unique_visitors ?? none };
  });
  const others = [...byKey.values()].filter(({ scans }) => scans > 0);
  return [
    ...own,
    ...others.map(({ key, scans, unique_visitors }) => ({
      key,
      name: key === '' ? text.without : text.deleted(key),
      placement: null,
      scans,
      visitors: unique_visitors,
    })),
  ];
}

/** The lines whose name, ending or note has the words, in order. */
export function chooseLines(
  lines: readonly PlacementLine[],
  search: string,
  order: Order,
): readonly PlacementLine[] {
  const wanted = search.trim().toLowerCase();
  const found = lines.filter(({ name, key, placement }) =>
    [name, key, placement?.note ?? ''].some(part => part.toLowerCase().includes(wanted)),
  );
  switch (order) {
    case 'added':
      return found;
    case 'scans':
      return found.toSorted((a, b) => (b.scans ?? 0) - (a.scans ?? 0));
    case 'name':
      return found.toSorted((a, b) => collator.compare(a.name, b.name));
  }
}

/** Table 2 comes before table 10. */
const collator = new Intl.Collator(language, { numeric: true });
