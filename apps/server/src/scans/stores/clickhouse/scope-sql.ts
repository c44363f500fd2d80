import type { Uuid } from '../../../kernel/ids.ts';
import { type FilterName, filteredNames, type Scope } from '../scope.ts';

const getColumnType = (name: FilterName) => (name === 'target_id' || name === 'rule_id' ? 'UUID' : 'String');

/** The condition that a scan belongs to a scope. */
export function whereScope(scope: Scope): string {
  const { qrCodeId, codes, excludedCodes = [] } = scope;
  const conditions = ['account_id = {account: UUID} and mode = {mode: String}'];
  if (qrCodeId !== undefined) conditions.push('qr_code_id = {code: UUID}');
  if (codes?.length === 0) conditions.push('false');
  else if (codes)
    conditions.push(
      `(${chunks('codes', codes)
        .map(([name]) => formatMembership(name))
        .join(' or ')})`,
    );
  for (const [name] of chunks('excluded', excludedCodes)) conditions.push(`not ${formatMembership(name)}`);
  for (const name of filteredNames(scope)) conditions.push(`${name} = {${name}: ${getColumnType(name)}}`);
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

const formatMembership = (name: string) => `qr_code_id in {${name}: Array(UUID)}`;

/** Parameters travel in the URL, where ClickHouse takes at most 128 kB for each by default. */
const idsPerParameter = 3000;

const chunks = (name: string, ids: readonly Uuid[]): (readonly [string, readonly Uuid[]])[] =>
  Array.from({ length: Math.ceil(ids.length / idsPerParameter) }, (_, n) => [
    `${name}${n}`,
    ids.slice(n * idsPerParameter, (n + 1) * idsPerParameter),
  ]);
