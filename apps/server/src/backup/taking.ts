import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  type BackupFile,
  copiedTables,
  dumpName,
  type Manifest,
  manifestName,
  type ShardPosition,
} from './backup.ts';
import { makeDirectory } from './directory.ts';
import { dumpPostgres } from './postgres-dump.ts';
import { type Client, listParts, writeRows } from './row-files.ts';
import { takeSnapshot } from './snapshot.ts';

export type TakingParts = {
  readonly databaseUrl: string;
  /** Null where the scans are in the dump. */
  readonly client: Client | null;
  readonly dir: string;
  readonly withSalts: boolean;
  readonly print: (line: string) => void;
};

/**
 * Takes a backup while everything runs: a snapshot of PostgreSQL, and the rows of ClickHouse that were counted in it. Scans
 * that are counted later are excluded on both sides, so that the two agree.
 */
export async function takeBackup(parts: TakingParts): Promise<Manifest> {
  const { databaseUrl, client, dir, withSalts, print } = parts;
  await makeDirectory(dir, { parents: true });
  if ((await readdir(dir)).length > 0) throw new Error(`${dir} is not empty. Give an empty one.`);
  const snapshot = await takeSnapshot(databaseUrl);
  try {
    const { logs } = snapshot;
    await dumpPostgres(databaseUrl, join(dir, dumpName), snapshot.name, withSalts);
    const files = [await describe(dir, dumpName, null, 0)];
    print(`PostgreSQL  ${dumpName}  ${files[0]!.bytes} bytes`);
    if (client) {
      await snapshot.stored();
      files.push(...(await copyRows(client, logs, dir, print)));
    }
    const { takenAt, totals } = snapshot;
    const manifest: Manifest = {
      format: 1,
      takenAt,
      logs,
      files,
      totals,
      store: client ? 'clickhouse' : 'postgres',
    };
    // It gets its final name only when everything is written.
    await writeFile(join(dir, `${manifestName}.new`), JSON.stringify(manifest, null, 2), { mode: 0o600 });
    await rename(join(dir, `${manifestName}.new`), join(dir, manifestName));
    return manifest;
  } finally {
    await snapshot.close();
  }
}

async function copyRows(
  client: Client,
  logs: readonly ShardPosition[],
  dir: string,
  print: TakingParts['print'],
): Promise<readonly BackupFile[]> {
  const files: BackupFile[] = [];
  for (const table of copiedTables) {
    for (const part of await listParts(client, table, logs)) {
      const name = `${table.name}-${part}.tsv.gz`;
      const rows = await writeRows(client, { table, logs, part }, join(dir, name));
      files.push(await describe(dir, name, table.name, rows));
      print(`ClickHouse  ${name}  ${rows} rows`);
    }
  }
  return files;
}

async function describe(dir: string, name: string, table: string | null, rows: number): Promise<BackupFile> {
  const { size } = await stat(join(dir, name));
  return { name, bytes: size, sha256: await hashFile(join(dir, name)), table, rows };
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
