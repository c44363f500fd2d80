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
};
type DayRollUp = 'days' | 'places';

const rows: Source<'moment'> = { grain: 'moment', preference: {} };

/** For counts by columns. */
export function countSource(scope: Scope, columns: readonly GroupColumn[]): Source {
  const names = [...columns, ...filteredNames(scope)].filter(name => name !== 'qr_code_id');
  const kind = dayRollUpOf(names);
  if (!kind) return rows;
  const level = columns.includes('qr_code_id') ? 'code' : levelOf(scope);
  return { grain: 'day', preference: { projection: `${level}_${kind}` } };
}

/** For scans and visitors between these moments. */
export function visitorSource(scope: Scope, moments: readonly number[]): Source {
  const filtered = filteredNames(scope);
  const grain = grainOf(moments);
  if (filtered.length > 0 && !(grain === 'day' && dayRollUpOf(filtered) === 'days')) return rows;
  return {
    grain,
    preference: { projection: `${levelOf(scope)}_${grain === 'day' ? 'days' : 'quarters'}` },
  };
}

/** For what is counted by quarter hours, or by hours that begin at one, between these moments. */
export function quarterSource(scope: Scope, moments: readonly number[]): Source<'quarter' | 'moment'> {
  if (filteredNames(scope).length > 0 || grainOf(moments) === 'moment') return rows;
  return { grain: 'quarter', preference: { projection: `${levelOf(scope)}_quarters` } };
}

const dayRollUpOf = (names: readonly FilterName[]): DayRollUp | undefined =>
  (['days', 'places'] as const).find(kind => names.every(name => keptApart[kind].includes(name)));

/** Which roll-ups serve a scope: those of the account are not split by code, so no code can be excluded from them. */
const levelOf = ({ qrCodeId, excludedCodes = [] }: Scope) =>
  qrCodeId === undefined && excludedCodes.length === 0 ? 'account' : 'code';
