import { type FilterName, filteredNames, type Scope } from '../scope.ts';
import type { TimeRange } from '../time-range.ts';
import type { Parameters } from './parameters.ts';

/** The condition that a scan belongs to a scope. */
export function whereScope(scope: Scope, parameters: Parameters): string {
  const { accountId, mode, qrCodeId, codes, excludedCodes = [], filters = {} } = scope;
  const conditions = [
    `account_id = ${parameters.add(accountId, 'uuid')}`,
    `mode = ${parameters.add(mode, 'mode')}`,
  ];
  if (qrCodeId !== undefined) conditions.push(`qr_code_id = ${parameters.add(qrCodeId, 'uuid')}`);
  if (codes) conditions.push(`qr_code_id = any(${parameters.add(codes, 'uuid[]')})`);
  if (excludedCodes.length > 0)
    conditions.push(`qr_code_id <> all(${parameters.add(excludedCodes, 'uuid[]')})`);
  for (const name of filteredNames(scope)) {
    const value = filters[name]!;
    // No stored text has it, and PostgreSQL does not take it as a parameter.
    conditions.push(value.includes('\0') ? 'false' : `${name} = ${parameters.add(value, getType(name))}`);
  }
  return conditions.join(' and ');
}

const getType = (name: FilterName) => (name === 'target_id' || name === 'rule_id' ? 'uuid' : 'text');

/** The condition that a scan is in a range. */
export const whereInRange = ({ fromMs, toMs }: TimeRange, parameters: Parameters): string =>
  `at >= ${addMoment(fromMs, parameters)} and at < ${addMoment(toMs, parameters)}`;

/** As text, which the planner can compare with the bounds of partitions. */
export const addMoment = (atMs: number, parameters: Parameters): string =>
  parameters.add(new Date(atMs).toISOString(), 'timestamptz');

export const addMoments = (moments: readonly number[], parameters: Parameters): string =>
  parameters.add(
    moments.map(atMs => new Date(atMs).toISOString()),
    'timestamptz[]',
  );
