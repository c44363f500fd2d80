import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** Numbered SQL files, applied in order, each once and whole, never backwards. */
export type Migration = {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** False where its first line is `-- no transaction`: each statement runs by itself, and must be safe to run again. */
  readonly inTransaction: boolean;
};

export type Applied = { readonly name: string; readonly checksum: string };

/** Those of an engine, or of another folder. */
export async function readMigrations(from: 'postgres' | 'clickhouse' | URL): Promise<readonly Migration[]> {
  const folder = from instanceof URL ? from : new URL(`../../migrations/${from}/`, import.meta.url);
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async name => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { name, sql, checksum, inTransaction: !/^-- no transaction\s*\n/.test(sql) };
    }),
  );
}

/** The database is not the one that this version works with; only the operator can change that. */
export class MigrationsDiffer extends Error {}

/** Those that have not been applied yet. One that was changed afterwards is refused. */
export function pendingOf(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const checksums = new Map(applied.map(row => [row.name, row.checksum]));
  for (const { name, checksum } of migrations) {
    if ((checksums.get(name) ?? checksum) !== checksum) {
      throw new MigrationsDiffer(
        `${name} was changed after it had been applied. Put it back, and write a new migration.`,
      );
    }
  }
  return migrations.filter(migration => !checksums.has(migration.name));
}

/** The statements of a file, one by one. A semicolon at the end of a line ends one. */
export function statementsOf(sql: string): string[] {
  return sql
    .split(/;[ \t]*$/m)
    .map(statement => statement.trim())
    .filter(statement => statement.replaceAll(/--.*$/gm, '').trim() !== '');
}
