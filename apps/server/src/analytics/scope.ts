import { parseId, type Uuid, zeroId } from '../kernel/ids.ts';
import { type FilterName, type Filters, filterNames } from '../scans/stores/scope.ts';

export const pickFilters = (params: Filters): Filters =>
  Object.fromEntries(
    filterNames.flatMap(name =>
      params[name] === undefined ? [] : [[name, storedValue(name, params[name])]],
    ),
  );

/** Countries are stored in capitals. Ids are stored as UUIDs, and what no rule decided under zero. One that is no id matches no scan. */
function storedValue(name: FilterName, value: string): string {
  if (name === 'country') return value.toUpperCase();
  const prefix = name === 'target_id' ? 'tgt' : name === 'rule_id' ? 'rul' : null;
  if (prefix === null || !value.includes('_')) return value === 'default' && prefix ? zeroId : value;
  return parseId(prefix, value) ?? noId;
}

const noId: Uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
