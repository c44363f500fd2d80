import { type ClickHouse, createClickHouse } from '../../apps/server/src/platform/clickhouse.ts';
import { migrateClickHouse } from '../../apps/server/src/platform/clickhouse-migrations.ts';
import { startClickHouse } from '../../tools/engines/clickhouse.ts';
import type { Engine } from '../../tools/engines/engine.ts';

/** A ClickHouse of its own with our tables in it, and a client of it. Whoever asked for them closes both. */
export async function startMigratedClickHouse(): Promise<{ engine: Engine; clickhouse: ClickHouse }> {
  const engine = await startClickHouse();
  const clickhouse = await createClickHouse(engine.url);
  await migrateClickHouse(clickhouse);
  return { engine, clickhouse };
}
