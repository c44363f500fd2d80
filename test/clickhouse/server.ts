import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ClickHouse } from '../../apps/server/src/platform/clickhouse/clickhouse.ts';

/** What the results of the checks may depend on, by name. */
export type Facts = Readonly<Record<string, string>>;

export async function describeServer(clickhouse: ClickHouse): Promise<Facts> {
  const [server] = await clickhouse.query<{ version: string; zone: string }>(
    'select version() as version, serverTimezone() as zone',
  );
  return {
    ClickHouse: `${server!.version}, time zone ${server!.zone}`,
    'Settings that matter': await readSettings(clickhouse, 'system.settings', settings),
    'Settings of tables': await readSettings(clickhouse, 'system.merge_tree_settings', tableSettings),
    'Other changed settings': await readChanged(clickhouse),
  };
}

export async function describeTable(clickhouse: ClickHouse): Promise<Facts> {
  const [database] = await clickhouse.query<{ engine: string }>(
    'select engine from system.databases where name = currentDatabase()',
  );
  const [table] = await clickhouse.query<{ engine: string }>(
    `select engine from system.tables where database = currentDatabase() and name = 'scans'`,
  );
  return { Engines: `${table?.engine ?? 'no table'} in a database of ${database?.engine}` };
}

/** Of the user's profile, before what each query sets for itself. */
const settings = [
  'async_insert',
  'insert_deduplicate',
  'max_insert_block_size',
  'max_memory_usage',
  'max_partitions_per_insert_block',
  'mutations_sync',
  'optimize_use_projections',
  'wait_end_of_query',
  'http_max_field_value_size',
  'http_response_buffer_size',
  'lightweight_deletes_sync',
];
/** What every query of ours sets. */
const ownSettings = [
  'cancel_http_readonly_queries_on_client_close',
  'http_write_exception_in_output_format',
  'max_execution_time',
  'output_format_json_quote_64bit_integers',
  'readonly',
];
const tableSettings = [
  'fsync_after_insert',
  'min_bytes_for_wide_part',
  'non_replicated_deduplication_window',
  'old_parts_lifetime',
  'parts_to_delay_insert',
];

async function readSettings(
  clickhouse: ClickHouse,
  table: string,
  names: readonly string[],
): Promise<string> {
  const found = await clickhouse.query<{ name: string; value: string }>(
    `select name, value from ${table} where name in {names: Array(String)} order by name`,
    { names },
  );
  return found.map(({ name, value }) => `${name}=${value}`).join(', ');
}

async function readChanged(clickhouse: ClickHouse): Promise<string> {
  const found = await clickhouse.query<{ name: string }>(
    'select name from system.settings where changed and name not in {names: Array(String)} order by name',
    { names: [...settings, ...ownSettings] },
  );
  return found.map(({ name }) => name).join(', ');
}

const root = new URL('../..', import.meta.url).pathname;

export function describeSignpost(): Facts {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };
  return { Signpost: `${version}, commit ${readCommit()}`, 'Node.js': process.version };
}

/** A copy without its history has none. */
function readCommit(): string {
  try {
    const args = ['describe', '--always', '--dirty', '--exclude', '*'];
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
}
