import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** Numbered SQL files, applied in order, each once and whole, never backwards. */
export type Migration = { readonly name: string; readonly sql: string; readonly checksum: string };

export type Applied = { readonly name: string; readonly checksum: string };

export async function readMigrations(engine: 'postgres' | 'clickhouse'): Promise<readonly Migration[]> {
  const folder = new URL(`../../migrations/${engine}/`, import.meta.url);
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async name => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** Those that have not been applied yet. One that was changed afterwards is refused. */
export function pendingOf(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const checksums = new Map(applied.map(row => [row.name, row.checksum]));
  for (const { name, checksum } of migrations) {
    if ((checksums.get(name) ?? checksum) !== checksum) {
      throw new Error(
        `${name} was changed after it had been applied. Put it back, and write a new migration.`,
      );
    }
  }
  return migrations.filter(migration => !checksums.has(migration.name));
}
