import { type FilterName, type Filters, filterNames, type Scope } from './analytics.ts';

/** The filters among the parameters of a request. */
export const filtersOf = (params: Filters): Filters =>
  Object.fromEntries(filterNames.flatMap(name => (params[name] === undefined ? [] : [[name, params[name]]])));

export const filteredNames = ({ filters = {} }: Scope): readonly FilterName[] =>
  filterNames.filter(name => filters[name] !== undefined);

/** The condition that a scan belongs to a scope. */
export function whereScope(scope: Scope): string {
  const { qrCodeId, excludedCodes = [] } = scope;
  const conditions = ['account_id = {account: UUID} and mode = {mode: String}'];
  if (qrCodeId !== undefined) conditions.push('qr_code_id = {code: UUID}');
  else if (excludedCodes.length > 0) conditions.push('qr_code_id not in {excluded: Array(UUID)}');
  for (const name of filteredNames(scope)) conditions.push(`${name} = {${name}: String}`);
  return conditions.join(' and ');
}

export const scopeParams = ({ accountId, mode, qrCodeId, excludedCodes = [], filters = {} }: Scope) => ({
  account: accountId,
  mode,
  ...(qrCodeId === undefined ? {} : { code: qrCodeId }),
  ...(excludedCodes.length === 0 ? {} : { excluded: excludedCodes }),
  ...filtersOf(filters),
});
