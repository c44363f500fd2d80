import type { Config } from '../config.ts';
import { migrateClickHouse } from '../platform/clickhouse-migrations.ts';
import { migrate } from '../platform/migrations.ts';
import type { Print } from './print.ts';
import { openForCommand, requirePostgres } from './starting.ts';

/** Brings both stores up to date, and says what it did. */
export async function runMigrate(config: Config, print: Print): Promise<void> {
  const say = (store: string) => (name: string) => print(`applied ${name} to ${store}`);
  await requirePostgres(config);
  const applied = await migrate(config.databaseDirectUrl, {
    onApplied: say('PostgreSQL'),
    say: print,
  });
  const clickhouse = await openForCommand(config.clickhouseUrl);
  try {
    applied.push(...(await migrateClickHouse(clickhouse, say('ClickHouse'))));
  } finally {
    await clickhouse.close();
  }
  print(applied.length === 0 ? 'Everything is up to date.' : `${applied.length} applied.`);
}
