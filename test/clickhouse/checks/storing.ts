import {
  migrateClickHouse,
  pendingClickHouseMigrations,
} from '../../../apps/server/src/platform/clickhouse/clickhouse-migrations.ts';
import type { CheckContext } from '../context.ts';
import { toHeld } from '../scans/held-scan.ts';
import { require, type Step } from '../steps.ts';

export const migrations = ({ clickhouse }: CheckContext): Step => ({
  name: 'Migrations apply, and applying them again changes nothing',
  isNeeded: true,
  async run({ see }) {
    const applied = await migrateClickHouse(clickhouse);
    const tables = () =>
      clickhouse.query(
        `select name, create_table_query, metadata_modification_time from system.tables
          where database = currentDatabase() order by name`,
      );
    const before = JSON.stringify(await tables());
    const again = await migrateClickHouse(clickhouse);
    require(applied.length > 0, 'Nothing was applied to an empty database');
    require(again.length === 0, `Applied again: ${again.join(', ')}`);
    require((await pendingClickHouseMigrations(clickhouse)).length === 0, 'Migrations are still pending');
    require(JSON.stringify(await tables()) === before, 'The second run changed the tables');
    see(`applied ${applied.join(', ')}`);
  },
});

export const figures = (context: CheckContext): Step => ({
  name: 'Scans are stored, and every figure is as computed from them',
  async run({ see, progress }) {
    const { rows, accounts, generator, options } = context;
    const held = [];
    const startedAt = performance.now();
    for (const insert of generator.insertsOf(accounts, options.scans)) {
      await rows.insert(insert.rows, insert.token, { timeoutMs: 60_000 });
      held.push(...insert.rows.map(toHeld));
      progress(held.length, options.scans, 'scans');
    }
    const seconds = (performance.now() - startedAt) / 1000;
    context.held = held;
    see(`${held.length} scans made and inserted, ${Math.round(held.length / seconds)} per second`);
    const askedAt = performance.now();
    const compared = await context.compare(context.clickhouse, true);
    see(`${compared} answers are equal, in ${((performance.now() - askedAt) / 1000).toFixed(1)} s`);
  },
});
