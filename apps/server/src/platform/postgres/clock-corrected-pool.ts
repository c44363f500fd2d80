import pg from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import type { PoolObserver } from './observed-pool.ts';
import { createPool, type PostgresConfig } from './postgres.ts';

/**
 * Connections for a library that reads the machine's clock. Times that it writes are converted from the machine's time to
 * PostgreSQL's, and times that it reads the other way: a wrong clock ends no session too early.
 */
export function createClockCorrectedPool(
  config: PostgresConfig,
  clock: Clock,
  onError: (error: Error) => void,
  observer: PoolObserver,
): pg.Pool {
  const aheadMs = () => Date.now() - clock.now().getTime();
  const toDatabaseTime = (value: unknown) =>
    value instanceof Date ? new Date(value.getTime() - aheadMs()) : value;
  const parse = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

  class ClockCorrectedClient extends pg.Client {
    constructor(settings?: string | pg.ClientConfig) {
      super(settings);
      this.setTypeParser(pg.types.builtins.TIMESTAMPTZ, text => new Date(parse(text).getTime() + aheadMs()));
    }

    // biome-ignore lint/suspicious/noExplicitAny: the driver's overloads cannot be repeated here
    override query(query: any, values?: any, callback?: any): any {
      return super.query(query, Array.isArray(values) ? values.map(toDatabaseTime) : values, callback);
    }
  }
  return createPool(config, onError, { Client: ClockCorrectedClient, observer });
}
