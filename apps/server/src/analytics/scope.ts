import { parseId, type Uuid, zeroId } from '../kernel/ids.ts';
import { type FilterName, type Filters, filterNames, type Scope } from './analytics.ts';

/** The filters among the parameters of a request. */
export const filtersOf = (params: Filters): Filters =>
  Object.fromEntries(
    filterNames.flatMap(name =>
      params[name] === undefined ? [] : [[name, storedValue(name, params[name])]],
    ),
  );

/** Ids are stored as UUIDs, and what no rule decided under zero. One that is no id matches no scan. */
function storedValue(name: FilterName, value: string): string {
  const prefix = name === 'target_id' ? 'tgt' : name === 'rule_id' ? 'rul' : null;
  if (prefix === null || !value.includes('_')) return value === 'default' && prefix ? zeroId : value;
  return parseId(prefix, value) ?? noId;
}

const noId: Uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const typeOf = (name: FilterName) => (name === 'target_id' || name === 'rule_id' ? 'UUID' : 'String');

export const filteredNames = ({ filters = {} }: Scope): readonly FilterName[] =>
  filterNames.filter(name => filters[name] !== undefined);

/** The condition that a scan belongs to a scope. */
export function whereScope(scope: Scope): string {
  const { qrCodeId, codes, excludedCodes = [] } = scope;
  const conditions = ['account_id = {account: UUID} and mode = {mode: String}'];
  if (qrCodeId !== undefined) conditions.push('qr_code_id = {code: UUID}');
  if (codes?.length === 0) conditions.push('false');
  else if (codes)
    conditions.push(
      `(${chunks('codes', codes)
        .map(([name]) => isIn(name))
        .join(' or ')})`,
    );
  for (const [name] of chunks('excluded', excludedCodes)) conditions.push(`not ${isIn(name)}`);
  for (const name of filteredNames(scope)) conditions.push(`${name} = {${name}: ${typeOf(name)}}`);
  return conditions.join(' and ');
}

export const scopeParams = ({
  accountId,
  mode,
  qrCodeId,
  codes = [],
  excludedCodes = [],
  filters = {},
}: Scope) => ({
  account: accountId,
  mode,
  ...(qrCodeId === undefined ? {} : { code: qrCodeId }),
  ...Object.fromEntries([...chunks('codes', codes), ...chunks('excluded', excludedCodes)]),
  ...filters,
});

const isIn = (name: string) => `qr_code_id in {${name}: Array(UUID)}`;

/** Parameters travel in the URL, where ClickHouse takes at most 128 kB for each by default. */
const idsPerParameter = 3000;

const chunks = (name: string, ids: readonly Uuid[]): (readonly [string, readonly Uuid[]])[] =>
  Array.from({ length: Math.ceil(ids.length / idsPerParameter) }, (_, n) => [
    `${name}${n}`,
    ids.slice(n * idsPerParameter, (n + 1) * idsPerParameter),
  ]);
