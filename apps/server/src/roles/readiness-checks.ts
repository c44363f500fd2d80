import { within } from '../kernel/within.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { isNotEnabled, requireJetStream } from '../platform/jetstream-faults.ts';
import type { Nats } from '../platform/nats.ts';
import { type Database, sql } from '../platform/postgres.ts';
import type { Readiness, ReadinessCheck } from '../platform/readiness.ts';
import type { RedisClient } from '../platform/redis.ts';

const timeoutMs = 1000;
const ping = sql('ping', 'select 1 as pong');

type Engines = {
  readonly postgres?: Pick<Database, 'query'>;
  readonly nats?: Nats;
  readonly clickhouse?: ClickHouse;
  readonly redis?: RedisClient;
};

/** Looks at these engines whenever the process is asked whether it is ready. Those that it needs are named. */
export function watchEngines(
  readiness: Readiness,
  { postgres, nats, clickhouse, redis }: Engines,
  needed: readonly (keyof Engines)[],
): void {
  const watch = (name: keyof Engines, check: ReadinessCheck['check']) =>
    readiness.add({ name, needed: needed.includes(name), check: () => within(timeoutMs, check()) });
  if (postgres) watch('postgres', () => postgres.query(ping));
  if (nats) watch('nats', () => checkNats(nats));
  if (clickhouse) watch('clickhouse', () => clickhouse.query('select 1', {}, { timeoutMs }));
  if (redis) watch('redis', () => redis.ping());
}

/** Connected is not enough: without JetStream no scan is ever counted. A cluster that has no leader yet is not taken for that. */
async function checkNats(nats: Nats): Promise<void> {
  const connection = nats.connection();
  if (!connection) throw new Error('not connected');
  await requireJetStream(connection, timeoutMs / 2).catch(error => {
    if (isNotEnabled(error)) throw error;
  });
}
