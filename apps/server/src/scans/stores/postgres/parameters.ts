import { unprepared } from '../../../platform/postgres/postgres.ts';
import type { ReadPool } from '../../../platform/postgres/reading/read-pool.ts';
import type { QueryLimits } from '../scan-queries.ts';

/** Values of a statement that is put together: each is written as `$1`, `$2`, … where it is added. */
export type Parameters = { readonly values: readonly unknown[]; add(value: unknown, type: string): string };

function createParameters(): Parameters {
  const values: unknown[] = [];
  return {
    values,
    add(value, type) {
      values.push(value);
      return `$${values.length}::${type}`;
    },
  };
}

/** Puts a statement together and runs it: PostgreSQL plans it for its values. */
export type RunBuilt = <Row extends object>(
  build: (parameters: Parameters) => string,
  limits: QueryLimits,
) => Promise<Row[]>;

export const createRunner =
  (pool: ReadPool): RunBuilt =>
  (build, limits) => {
    const parameters = createParameters();
    const text = build(parameters);
    return pool.query(unprepared(text), parameters.values, limits);
  };
