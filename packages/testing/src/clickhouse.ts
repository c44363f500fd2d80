import {
  type ClickHouse,
  createClickHouse,
} from '../../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { migrateClickHouse } from '../../../apps/server/src/platform/clickhouse/clickhouse-migrations.ts';
import { startClickHouse } from './engines/clickhouse.ts';
import type { Engine } from './engines/engine.ts';

/** A new ClickHouse with our tables, and a client. The caller closes both. */
export async function startMigratedClickHouse(): Promise<{ engine: Engine; clickhouse: ClickHouse }> {
  const engine = await startClickHouse();
  const clickhouse = await createClickHouse(engine.url);
  await migrateClickHouse(clickhouse);
  return { engine, clickhouse };
}
