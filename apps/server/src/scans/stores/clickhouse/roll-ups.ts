import type { QueryOptions } from '../../../platform/clickhouse/clickhouse.ts';
import type { GroupColumn } from '../scan-queries.ts';
import { type FilterName, filteredNames, type Scope } from '../scope.ts';
import { chooseGrain, type Grain } from './time-sql.ts';

/** Where figures can be taken from: the grain to ask by, and the roll-up to prefer, if one fits. */
type Source<G extends Grain = Grain> = {
  readonly grain: G;
  readonly preference: Pick<QueryOptions, 'projection'>;
};

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
  const kind = chooseDayRollUp(names);
  if (!kind) return rows;
  const level = columns.includes('qr_code_id') ? 'code' : chooseLevel(scope);
  return { grain: 'day', preference: { projection: nameRollUp(level, kind) } };
}

/** For scans and visitors between these moments, by columns if any. */
export function visitorSource(
  scope: Scope,
  moments: readonly number[],
  columns: readonly FilterName[] = [],
): Source {
  const filtered = filteredNames(scope);
  const grain = chooseGrain(moments);
  const kind = chooseDayRollUp([...columns, ...filtered]);
  if (columns.length + filtered.length > 0 && !(grain === 'day' && kind && kind !== 'places')) return rows;
  return {
    grain,
    preference: {
      projection: nameRollUp(chooseLevel(scope), grain === 'day' ? (kind ?? 'days') : 'quarters'),
    },
  };
}

/** For what is counted by quarter hours, or by hours that begin at one, between these moments. */
export function quarterSource(scope: Scope, moments: readonly number[]): Source<'quarter' | 'moment'> {
  if (filteredNames(scope).length > 0 || chooseGrain(moments) === 'moment') return rows;
  return { grain: 'quarter', preference: { projection: `${chooseLevel(scope)}_quarters` } };
}

const chooseDayRollUp = (names: readonly FilterName[]): DayRollUp | undefined =>
  (['days', 'places', 'targets'] as const).find(kind => names.every(name => keptApart[kind].includes(name)));

/** Targets are those of codes: they are not kept for accounts. */
const nameRollUp = (level: 'account' | 'code', kind: DayRollUp | 'quarters') =>
  kind === 'targets' ? 'code_targets' : `${level}_${kind}`;

/** Which roll-ups serve a scope: those of the account are not split by code, so no code can be chosen or excluded from them. */
const chooseLevel = ({ qrCodeId, codes, excludedCodes = [] }: Scope) =>
  qrCodeId === undefined && codes === undefined && excludedCodes.length === 0 ? 'account' : 'code';
