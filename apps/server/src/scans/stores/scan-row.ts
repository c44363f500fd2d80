import type { Uuid } from '../../kernel/ids.ts';

/** The columns of a stored scan, in the order of a row, with their types in PostgreSQL. */
export const scanColumns = {
  id: 'uuid',
  account_id: 'uuid',
  qr_code_id: 'uuid',
  at: 'float8',
  mode: 'mode',
  country: 'text',
  region: 'text',
  city: 'text',
  device: 'text',
  browser: 'text',
  visitor: 'uuid',
  visitor_number: 'bigint',
  time_window: 'text',
  is_unique: 'integer',
  shard: 'integer',
  log_number: 'integer',
  position: 'bigint',
  place: 'integer',
  rule_id: 'uuid',
  target_id: 'uuid',
  placement: 'text',
  language: 'text',
} as const;

/** The values of a counted scan, in the order of the columns. `at` is in seconds with three decimals. */
export type ScanRow = readonly (string | number)[] & { readonly [idColumn]: Uuid };

export const idColumn = 0;
export const atColumn = 3;
