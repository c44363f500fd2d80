import { withTimeout } from '../../kernel/running/with-timeout.ts';
import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts';
import { isJetStreamDisabled, requireJetStream } from '../../platform/nats/jetstream.ts';
import type { Nats } from '../../platform/nats/nats.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { Readiness, ReadinessCheck } from '../../platform/readiness.ts';
import type { RedisClient } from '../../platform/redis/redis.ts';

const timeoutMs = 1000;
const ping = sql('ping', 'select 1 as pong');

type Engines = {
  readonly postgres?: Pick<Database, 'query'>;
  readonly nats?: Nats;
  /** The NATS of the scan log, for the roles that use it. Checked only if it is another one. */
  readonly logNats?: Nats;
  /** Null where PostgreSQL stores the scans. */
  readonly clickhouse?: ClickHouse | null;
  readonly redis?: RedisClient;
};

/** For roles that do without Redis. */
export const pickNats = ({
  watched: { nats },
}: {
  readonly watched: Pick<Engines, 'nats'>;
}): Pick<Engines, 'nats'> => (nats ? { nats } : {});

const reportedNames = {
  postgres: 'postgres',
  nats: 'nats',
  logNats: 'log_nats',
  clickhouse: 'clickhouse',
  redis: 'redis',
} as const satisfies Record<keyof Engines, string>;

/** Checks these engines whenever the process is asked whether it is ready. It is not ready without the `needed` ones. */
export function watchEngines(
  readiness: Readiness,
  { postgres, nats, logNats, clickhouse, redis }: Engines,
  needed: readonly (keyof Engines)[],
): void {
  const watch = (name: keyof Engines, check: ReadinessCheck['check']) =>
    readiness.add({
      name: reportedNames[name],
      needed: needed.includes(name),
      check: () => withTimeout(timeoutMs, check()),
    });
  if (postgres) watch('postgres', () => postgres.query(ping));
  if (nats) watch('nats', () => checkNats(nats));
  if (logNats && logNats !== nats) watch('logNats', () => checkNats(logNats));
  if (clickhouse) watch('clickhouse', () => clickhouse.query('select 1', {}, { timeoutMs }));
  if (redis) watch('redis', () => redis.ping());
}

/** A connection is not enough: without JetStream no scan is ever counted. A cluster that has no leader yet passes. */
async function checkNats(nats: Nats): Promise<void> {
  const connection = nats.connection();
  if (!connection) throw new Error('not connected');
  await requireJetStream(connection, timeoutMs / 2).catch(error => {
    if (isJetStreamDisabled(error)) throw error;
  });
}
