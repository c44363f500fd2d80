import { type Uuid, zeroId } from '../kernel/ids.ts';
import type { Rule } from '../rules/rule.ts';
import type { Totals } from '../scans/stores/scan-queries.ts';
import type { PlacementCount, TargetCount } from './analytics.ts';

/** What analytics needs to know about where a code leads. */
export type TargetedCode = {
  readonly id: Uuid;
  readonly destinationUrl: string;
  readonly routing: { readonly rules: readonly Rule[] };
  readonly placements: readonly { readonly key: string; readonly name: string }[];
  /** Whether scans may have a placement, of today or a deleted one. */
  readonly hadPlacements: boolean;
};

/** A target that rules of a code had earlier. */
export type EarlierTarget = {
  readonly id: Uuid;
  readonly ruleId: Uuid;
  readonly label: string;
  readonly url: string;
};

export type TargetFigures = Totals & {
  /** Null: the destination of the code. */
  readonly targetId: Uuid | null;
  readonly ruleId: Uuid | null;
  readonly label: string;
  readonly url: string;
};

export type PlacementFigures = Totals & { readonly key: string; readonly name: string };

const none: Totals = { scans: 0, visitors: 0 };
const pickFigures = ({ scans, visitors }: Totals): Totals => ({ scans, visitors });

/** The destination first, then the targets of today in their order, then earlier ones that have scans. */
export function targetFigures(
  { destinationUrl, routing }: TargetedCode,
  removed: readonly EarlierTarget[],
  counts: readonly TargetCount[],
): TargetFigures[] {
  const countOf = new Map(counts.map(count => [count.targetId, pickFigures(count)]));
  const take = (id: Uuid): Totals => {
    const found = countOf.get(id) ?? none;
    countOf.delete(id);
    return found;
  };
  const isDefault = { targetId: null, ruleId: null, label: '', url: destinationUrl };
  const first = { ...isDefault, ...take(zeroId) };
  const current = routing.rules.flatMap(({ id: ruleId, to }) =>
    to.map(({ id, label, url }) => ({ targetId: id, ruleId, label, url, ...take(id) })),
  );
  const known = new Map(removed.map(target => [target.id, target]));
  const earlier = [...countOf].map(([targetId, totals]) => {
    const { ruleId = null, label = '', url = '' } = known.get(targetId) ?? {};
    return { targetId, ruleId, label, url, ...totals };
  });
  return [first, ...current, ...earlier];
}

/** Scans without a placement first, then the placements in their order, then deleted ones that have scans. */
export function placementFigures(
  { placements, hadPlacements }: TargetedCode,
  counts: readonly PlacementCount[],
): PlacementFigures[] {
  if (!hadPlacements) return [];
  const countOf = new Map(counts.map(count => [count.placement, pickFigures(count)]));
  const listed = [{ key: '', name: '' }, ...placements].map(({ key, name }) => {
    const found = countOf.get(key) ?? none;
    countOf.delete(key);
    return { key, name, ...found };
  });
  return [...listed, ...[...countOf].map(([key, totals]) => ({ key, name: '', ...totals }))];
}
