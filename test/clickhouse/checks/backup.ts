import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copiedTables } from '../../../apps/server/src/backup/backup.ts';
import { listParts, loadRows, writeRows } from '../../../apps/server/src/backup/row-files.ts';
import {
  type ClickHouse,
  connect,
  createClickHouse,
} from '../../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { migrateClickHouse } from '../../../apps/server/src/platform/clickhouse/clickhouse-migrations.ts';
import type { CheckContext } from '../context.ts';
import { addressOf } from '../scratch.ts';
import { NotTried, require, type Step, type StepTools } from '../steps.ts';

const timeoutMs = 600_000;

export const backup = (context: CheckContext): Step => ({
  name: 'A backup as `signpost backup` takes it is restored into another database with the same figures',
  async run(tools) {
    const url = await context.scratch.create('restored');
    const dir = mkdtempSync(join(tmpdir(), 'signpost-check-'));
    const [source, target] = await Promise.all([connect(context.url), connect(url)]);
    const restored = await createClickHouse(url);
    try {
      await migrateClickHouse(restored);
      await copy(context, source, target, dir, tools);
      await compareRestored(context, restored, tools);
    } finally {
      rmSync(dir, { recursive: true });
      await Promise.all([source.close(), target.close(), restored.close()]);
    }
  },
});

type Client = Awaited<ReturnType<typeof connect>>;

async function copy(
  { generator }: CheckContext,
  source: Client,
  target: Client,
  dir: string,
  { see, progress }: StepTools,
): Promise<void> {
  const logs = generator.marks();
  let [rows, bytes, files] = [0, 0, 0];
  for (const table of copiedTables) {
    const parts = await listParts(source, table, logs);
    for (const part of parts) {
      const name = `${table.name}-${part}.tsv.gz`;
      rows += await writeRows(source, { table, logs, part }, join(dir, name));
      bytes += statSync(join(dir, name)).size;
      await loadRows(target, table.name, dir, name);
      progress(++files, parts.length, 'files');
    }
  }
  see(`${rows} rows in ${files} files, ${(bytes / 1e6).toFixed(1)} MB`);
}

async function compareRestored(
  context: CheckContext,
  restored: ClickHouse,
  { see }: StepTools,
): Promise<void> {
  const [before, after] = await Promise.all([summarise(context.clickhouse), summarise(restored)]);
  require(before === after, `${after} were restored instead of ${before}`);
  see(`${await context.compare(restored)} answers are equal`);
}

async function summarise(clickhouse: ClickHouse): Promise<string> {
  const [row] = await clickhouse.query<{ rows: number; sum: string }>(
    `select count() as rows, hex(sum(cityHash64(account_id, qr_code_id, at, id, mode, country, region, city, device,
            browser, visitor, visitor_number, time_window, is_unique, shard, log_number, position, place, rule_id,
            target_id, placement, language))) as sum from scans`,
    {},
    { timeoutMs },
  );
  return `${row!.rows} rows with the sum ${row!.sum}`;
}

export const ownBackup = (context: CheckContext): Step => ({
  name: "ClickHouse's own BACKUP is restored into another database with the same figures",
  async run(tools) {
    const { scratch, clickhouse, url, options } = context;
    if (options.backupDisk === undefined)
      throw new NotTried('name a disk for backups with --backup-disk; the backup stays on it');
    const disk = options.backupDisk.replaceAll(/[\\']/g, '');
    const file = `Disk('${disk}', '${scratch.name}-${randomUUID().slice(0, 8)}.zip')`;
    try {
      await clickhouse.command(`backup database ${scratch.name} to ${file}`, {}, { timeoutMs });
    } catch (error) {
      throw new NotTried(`the server refuses: ${error instanceof Error ? error.message : error}`);
    }
    const name = scratch.reserve('own');
    await clickhouse.command(`restore database ${scratch.name} as ${name} from ${file}`, {}, { timeoutMs });
    tools.see(`the backup ${file} stays on the server`);
    const restored = await createClickHouse(addressOf(url, name));
    try {
      await compareRestored(context, restored, tools);
    } finally {
      await restored.close();
    }
  },
});
