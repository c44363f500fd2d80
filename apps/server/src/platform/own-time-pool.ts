import pg from 'pg';
import type { Clock } from '../kernel/clock.ts';
import type { PoolWatch } from './pool-watch.ts';
import { createPool, type PostgresConfig } from './postgres.ts';

/**
 * Connections for a library that asks the machine's clock what time it is. Times that it writes are turned from the
 * machine's time into PostgreSQL's, and times that it reads the other way: a wrong clock ends no session before its time.
 */
export function createOwnTimePool(
  config: PostgresConfig,
  clock: Clock,
  onError: (error: Error) => void,
  watch: PoolWatch,
): pg.Pool {
  const aheadMs = () => Date.now() - clock.now().getTime();
  const toTheirs = (value: unknown) =>
    value instanceof Date ? new Date(value.getTime() - aheadMs()) : value;
  const parse = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

  class OwnTimeClient extends pg.Client {
    constructor(settings?: string | pg.ClientConfig) {
      super(settings);
      this.setTypeParser(pg.types.builtins.TIMESTAMPTZ, text => new Date(parse(text).getTime() + aheadMs()));
    }

    // biome-ignore lint/suspicious/noExplicitAny: the driver's overloads cannot be written down again
    override query(question: any, values?: any, callback?: any): any {
      return super.query(question, Array.isArray(values) ? values.map(toTheirs) : values, callback);
    }
  }
  return createPool(config, onError, { Client: OwnTimeClient, watch });
}
