import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mechanisms, outboxes, owners } from './table-owners/owners.ts';
import { computedName, writesOf } from './table-owners/writes.ts';

/** A table as its migration creates it. */
export type TableOfMigration = {
  readonly engine: 'postgres' | 'clickhouse';
  readonly table: string;
  readonly comment: string;
};

/** Every write outside of the folder that owns the table, and every table without an owner, as lines to print. */
export function ownerBreaches(root: string): readonly string[] {
  const breaches = tableBreaches(tablesOf(root));
  const source = join(root, 'apps/server/src');
  for (const file of globSync('**/*.ts', { cwd: source }).sort()) {
    if (/\.(test|it|e2e)\.ts$/.test(file) || mechanisms.includes(file)) continue;
    const folder = file.split('/')[0]!;
    for (const { table, line, isInsert } of writesOf(readFileSync(join(source, file), 'utf8'))) {
      if (isInsert && outboxes.includes(table)) continue;
      breaches.push(...whyNot(folder, table).map(why => `apps/server/src/${file}:${line} ${why}`));
    }
  }
  return breaches;
}

function whyNot(folder: string, table: string): readonly string[] {
  if (table === computedName) return ['writes a table whose name is computed: write the name out'];
  const known = [owners.postgres[table], owners.clickhouse[table]].filter(owner => owner !== undefined);
  if (known.length === 0) return [`writes ${table}, which no migration creates`];
  if (known.includes(folder)) return [];
  return [`writes ${table}, which ${known[0]}/ owns: call a function of ${known[0]}/ in the transaction`];
}

function tableBreaches(tables: readonly TableOfMigration[]): string[] {
  const breaches: string[] = [];
  for (const engine of ['postgres', 'clickhouse'] as const) {
    const created = new Set(tables.filter(table => table.engine === engine).map(({ table }) => table));
    for (const table of created)
      if (!(table in owners[engine])) breaches.push(`${engine} ${table} has no owner: add it to owners.ts`);
    for (const table of Object.keys(owners[engine]))
      if (!created.has(table) && table !== 'schema_migrations')
        breaches.push(`${engine} ${table} has an owner, and no migration creates it`);
  }
  for (const { engine, table, comment } of tables)
    if (comment === '') breaches.push(`${engine} ${table} has no comment that says what it is for`);
  return breaches;
}

/** The tables that migrations create, in their order, each with its comment. */
export function tablesOf(root: string): readonly TableOfMigration[] {
  return (['postgres', 'clickhouse'] as const).flatMap(engine =>
    globSync('[0-9]*.sql', { cwd: join(root, 'apps/server/migrations', engine) })
      .sort()
      .flatMap(file => {
        const sql = readFileSync(join(root, 'apps/server/migrations', engine, file), 'utf8');
        return [...sql.matchAll(/^create table (?:if not exists )?(\w+)/gm)].map(match => ({
          engine,
          table: match[1]!,
          comment: engine === 'postgres' ? commentOf(sql, match[1]!) : lastCommentOf(sql.slice(match.index)),
        }));
      }),
  );
}

const commentOf = (sql: string, table: string) =>
  unquoted(new RegExp(String.raw`^comment on table ${table} is\s+'((?:[^']|'')*)'`, 'm').exec(sql)?.[1]);

/** ClickHouse has the comment at the end of the statement. */
const lastCommentOf = (statement: string) => unquoted(/^comment '((?:[^']|'')*)';/m.exec(statement)?.[1]);

const unquoted = (text = '') => text.replaceAll("''", "'");

/** docs/internals/tables.md. */
export function tablesPage(root: string): string {
  const rowsOf = (engine: 'postgres' | 'clickhouse') =>
    tablesOf(root)
      .filter(table => table.engine === engine)
      .map(({ table, comment }) => `| \`${table}\` | \`${owners[engine][table]}/\` | ${comment} |`)
      .join('\n');
  return `# Tables

Made by \`npm run generate\` from the migrations and \`tools/checks/table-owners/owners.ts\`.

Each table has one owner: the folder of \`apps/server/src\` that writes it. Other folders may read it and lock its rows. They
change it only by calling a function of the owner, which takes their transaction. \`npm run check\` reads every statement and
finds breaches. A restore is no exception: it loads a dump whole into empty stores, and changes rows only through the owners.
Comments of columns are in the database: \`\\d+ qr_codes\` in psql shows them.

## PostgreSQL

| Table | Owner | What it is for |
|---|---|---|
${rowsOf('postgres')}
| \`schema_migrations\` | \`platform/\` | Migrations that were applied, with their checksums. |

## ClickHouse

| Table | Owner | What it is for |
|---|---|---|
${rowsOf('clickhouse')}
| \`schema_migrations\` | \`platform/\` | Migrations that were applied, with their checksums. |
`;
}

if (import.meta.main) {
  const breaches = ownerBreaches(resolve(import.meta.dirname, '../..'));
  for (const breach of breaches) console.log(breach);
  console.log(`table owners: ${breaches.length} breaches`);
  process.exitCode = breaches.length > 0 ? 1 : 0;
}
