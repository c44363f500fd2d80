import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** Numbered SQL files, applied in order, each once, and never backwards. */
export type Migration = {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** False where its first line is `-- no transaction`: each statement runs by itself, and must be safe to run again. */
  readonly inTransaction: boolean;
};

export type Applied = { readonly name: string; readonly checksum: string };

const migrationsFolder = (engine: 'postgres' | 'clickhouse') =>
  new URL(`../../../migrations/${engine}/`, import.meta.url);

/** Those of an engine, or of another folder. */
export async function readMigrations(from: 'postgres' | 'clickhouse' | URL): Promise<readonly Migration[]> {
  const folder = from instanceof URL ? from : migrationsFolder(from);
  const names = (await readdir(folder)).filter(name => /^\d{4}-.*\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async name => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { name, sql, checksum, inTransaction: !/^-- no transaction\s*\n/.test(sql) };
    }),
  );
}

/** The database is not one that this version works with. Only the operator can change that. */
export class MigrationsDiffer extends Error {}

/** Those that have not been applied yet. Throws where another file was applied under the name of one. */
export function selectPending(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const checksums = new Map(applied.map(row => [row.name, row.checksum]));
  for (const { name, checksum } of migrations) {
    if ((checksums.get(name) ?? checksum) !== checksum) {
      throw new MigrationsDiffer(
        `Another ${name} was applied to this database, by an unreleased version or before the file was changed: use a new database, or put the file back.`,
      );
    }
  }
  return migrations.filter(migration => !checksums.has(migration.name));
}

/** The statements of a file. A semicolon at the end of a line ends one. */
export function splitStatements(sql: string): string[] {
  return sql
    .split(/;[ \t]*$/m)
    .map(statement => statement.trim())
    .filter(statement => statement.replaceAll(/--.*$/gm, '').trim() !== '');
}
