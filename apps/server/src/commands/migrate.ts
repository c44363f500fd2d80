import type { Config } from '../config/config.ts';
import type { Print } from '../kernel/print.ts';
import { migrateClickHouse } from '../platform/clickhouse/clickhouse-migrations.ts';
import { measureDatabaseClock } from '../platform/postgres/database-clock.ts';
import { migrate } from '../platform/postgres/migrations.ts';
import { createPostgres } from '../platform/postgres/postgres.ts';
import { grantRedirectUser } from '../platform/postgres/redirect-user.ts';
import { openForCommand, requirePostgres } from '../roles/engines/starting.ts';
import { createSaltKeeper } from '../scans/salt-keeper.ts';

/** Applies pending migrations to PostgreSQL, and to ClickHouse if there is one, and prints each; creates the user of redirects. */
export async function runMigrate(config: Config, print: Print): Promise<void> {
  const printApplied = (store: string) => (name: string) => print(`applied ${name} to ${store}`);
  await requirePostgres(config);
  const applied = await migrate(config.databaseDirectUrl, {
    onApplied: printApplied('PostgreSQL'),
    print,
  });
  await createFirstSalts(config);
  if (config.redirectDatabaseUrl !== '') {
    const user = await grantRedirectUser(config.databaseDirectUrl, config.redirectDatabaseUrl);
    print(`${user} may read what redirects need`);
  }
  if (config.clickhouseUrl !== '') {
    const clickhouse = await openForCommand(config.clickhouseUrl);
    try {
      applied.push(...(await migrateClickHouse(clickhouse, printApplied('ClickHouse'))));
    } finally {
      await clickhouse.close();
    }
  }
  print(applied.length === 0 ? 'Everything is up to date.' : `${applied.length} migrations applied.`);
}

/** So that a redirect that is started before the first ingest has one. */
async function createFirstSalts({ databaseDirectUrl, databaseTimeoutMs }: Config): Promise<void> {
  const db = createPostgres(
    { databaseUrl: databaseDirectUrl, databasePooler: 'none', databasePoolSize: 1, databaseTimeoutMs },
    () => undefined,
  );
  try {
    const clock = await measureDatabaseClock(db);
    await createSaltKeeper(db).create(clock.now());
  } finally {
    await db.close();
  }
}
