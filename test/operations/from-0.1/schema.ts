import type { ClickHouse } from '../../../apps/server/src/platform/clickhouse.ts';
import { withClient } from './old-installation.ts';

/**
 * All that makes up the schema of a database: columns in their order, constraints, indexes, functions, triggers, types,
 * sequences and comments. Without partitions, which come and go with the windows of visitors.
 */
export function schemaOf(url: string): Promise<readonly string[]> {
  return withClient(url, async client => {
    const lines: string[] = [];
    for (const [kind, query] of Object.entries(queries)) {
      const { rows } = await client.query<{ line: string }>(query);
      lines.push(...rows.map(({ line }) => `${kind} ${line}`).sort());
    }
    return lines;
  });
}

const own = `c.relnamespace = current_schema()::regnamespace and not c.relispartition`;

const queries = {
  schema: `select nspname as line from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`,
  column: `select format('%s %s %s %s not null %s default %s collate %s identity %s generated %s storage %s', c.relname, a.attnum,
             a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid),
             a.attcollation::regcollation, a.attidentity, a.attgenerated, a.attstorage) as line
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where ${own} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
  relation: `select format('%s %s %s %s', c.relname, c.relkind, c.relpersistence, c.reloptions) as line from pg_class c where ${own}`,
  constraint: `select format('%s %s %s valid %s', c.relname, k.conname, pg_get_constraintdef(k.oid), k.convalidated) as line
      from pg_constraint k join pg_class c on c.oid = k.conrelid where ${own}`,
  index: `select format('%s valid %s', pg_get_indexdef(i.indexrelid), i.indisvalid) as line
      from pg_index i join pg_class c on c.oid = i.indexrelid where ${own}`,
  function: `select pg_get_functiondef(p.oid) as line from pg_proc p where p.pronamespace = current_schema()::regnamespace
       and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`,
  trigger: `select pg_get_triggerdef(t.oid) as line from pg_trigger t where not t.tgisinternal`,
  type: `select format('%s %s', t.typname, (select string_agg(enumlabel, ',' order by enumsortorder)
             from pg_enum where enumtypid = t.oid)) as line
      from pg_type t where t.typnamespace = current_schema()::regnamespace and t.typtype = 'e'`,
  sequence: `select format('%s %s', sequencename, data_type) as line from pg_sequences where schemaname = current_schema()`,
  comment: `select format('%s %s', pg_describe_object(d.classoid, d.objoid, d.objsubid), d.description) as line
      from pg_description d where d.objoid >= 16384`,
};

/** The tables of ClickHouse, as it would create them. */
export async function clickHouseSchemaOf(clickhouse: ClickHouse): Promise<Record<string, string>> {
  const rows = await clickhouse.query<{ name: string; create_table_query: string }>(
    `select name, create_table_query from system.tables
      where database = currentDatabase() and name not like '.%' order by name`,
  );
  return Object.fromEntries(rows.map(row => [row.name, withSortedSettings(row.create_table_query)]));
}

/** In which order settings came to be set says nothing. */
const withSortedSettings = (statement: string) =>
  statement.replace(/ SETTINGS (.*?)(?= COMMENT '|$)/, (_, settings: string) => {
    return ` SETTINGS ${settings.split(', ').sort().join(', ')}`;
  });
