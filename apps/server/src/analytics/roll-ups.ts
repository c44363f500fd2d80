import type { QueryOptions } from '../platform/clickhouse.ts';
import type { FilterName, Scope } from './analytics.ts';
import { filteredNames } from './scope.ts';
import { type Grain, grainOf } from './time-range.ts';

/** Where figures can be taken from: the grain to ask by, and the roll-up to prefer, if one fits. */
type Source<G extends Grain = Grain> = {
  readonly grain: G;
  readonly preference: Pick<QueryOptions, 'projection'>;
};

export type GroupColumn = FilterName | 'qr_code_id';

/** What the roll-ups of days keep apart. Those of quarter hours keep nothing apart, and places have no visitors. */
const keptApart: Readonly<Record<DayRollUp, readonly FilterName[]>> = {
  days: ['device', 'browser'],
  places: ['country', 'city'],
  targets: ['target_id', 'placement'],
};
type DayRollUp = 'days' | 'places' | 'targets';

const rows: Source<'moment'> = { grain: 'moment', preference: {} };

/** For counts by columns. */
export function countSource(scope: Scope, columns: readonly GroupColumn[]): Source {
  const names = [...columns, ...filteredNames(scope)].filter(name => name !== 'qr_code_id');
  const kind = dayRollUpOf(names);
  if (!kind) return rows;
  const level = columns.includes('qr_code_id') ? 'code' : levelOf(scope);
  return { grain: 'day', preference: { projection: rollUpOf(level, kind) } };
}

/** For scans and visitors between these moments, by columns if any. */
export function visitorSource(
  scope: Scope,
  moments: readonly number[],
  columns: readonly FilterName[] = [],
): Source {
  const filtered = filteredNames(scope);
  const grain = grainOf(moments);
  const kind = dayRollUpOf([...columns, ...filtered]);
  if (columns.length + filtered.length > 0 && !(grain === 'day' && kind && kind !== 'places')) return rows;
  return {
    grain,
    preference: { projection: rollUpOf(levelOf(scope), grain === 'day' ? (kind ?? 'days') : 'quarters') },
  };
}

/** For what is counted by quarter hours, or by hours that begin at one, between these moments. */
export function quarterSource(scope: Scope, moments: readonly number[]): Source<'quarter' | 'moment'> {
  if (filteredNames(scope).length > 0 || grainOf(moments) === 'moment') return rows;
  return { grain: 'quarter', preference: { projection: `${levelOf(scope)}_quarters` } };
}

const dayRollUpOf = (names: readonly FilterName[]): DayRollUp | undefined =>
  (['days', 'places', 'targets'] as const).find(kind => names.every(name => keptApart[kind].includes(name)));

/** Targets are those of codes: they are not kept for accounts. */
const rollUpOf = (level: 'account' | 'code', kind: DayRollUp | 'quarters') =>
  kind === 'targets' ? 'code_targets' : `${level}_${kind}`;

/** Which roll-ups serve a scope: those of the account are not split by code, so no code can be chosen or excluded from them. */
const levelOf = ({ qrCodeId, codes, excludedCodes = [] }: Scope) =>
  qrCodeId === undefined && codes === undefined && excludedCodes.length === 0 ? 'account' : 'code';
