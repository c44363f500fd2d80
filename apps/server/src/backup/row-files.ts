import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type connect, oneBlock } from '../platform/clickhouse/clickhouse.ts';
import type { CopiedTable, ShardPosition } from './backup.ts';

export type Client = Awaited<ReturnType<typeof connect>>;

/** Text, after a line with the column names: every version of ClickHouse reads it, and other tools will in twenty years. */
const format = 'TabSeparated';
/** The maximum size of an insert: one part on disk, and a body that any proxy accepts. */
const maxInsertBytes = 4 * 1024 * 1024;
const settings = { max_execution_time: 0 };
const newline = 0x0a;

/** A file of rows: those of a table that were counted up to these positions, in one of its parts. */
type RowFile = {
  readonly table: CopiedTable;
  readonly logs: readonly ShardPosition[];
  /** The value of the table's `fileBy`: a day as 20261115. */
  readonly part: string;
};

/** Writes the rows, compressed, after a line with their column names. Returns how many there are. */
export async function writeRows(client: Client, rows: RowFile, path: string): Promise<number> {
  const columns = await listColumns(client, rows.table.name);
  const { stream } = await client.exec({
    query: `${selectRows(rows, columns)} format ${format}`,
    clickhouse_settings: settings,
  });
  let count = 0;
  async function* lines() {
    yield Buffer.from(`${columns.join('\t')}\n`);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) count++;
      yield chunk;
    }
  }
  await pipeline(lines, createGzip(), createWriteStream(path, { mode: 0o600 }));
  return count;
}

export async function listParts(
  client: Client,
  table: CopiedTable,
  logs: readonly ShardPosition[],
): Promise<string[]> {
  const result = await client.query({
    query: `select distinct toString(${table.fileBy}) as part from ${table.name} where ${formatCountedCondition(logs)} order by part`,
    format: 'JSONEachRow',
    clickhouse_settings: settings,
  });
  return ((await result.json()) as { part: string }[]).map(({ part }) => part);
}

const selectRows = ({ table, logs, part }: RowFile, columns: readonly string[]) =>
  `select ${columns.join(', ')} from ${table.name}
    where ${formatCountedCondition(logs)} and toString(${table.fileBy}) = '${part}'`;

/** Rows at position 0 were restored from a backup of an older version; they are part of every backup. */
const formatCountedCondition = (logs: readonly ShardPosition[]) =>
  `(position = 0${logs
    .map(
      ({ shard, log, position }) =>
        ` or (shard = ${shard} and (log_number, position) <= (${log}, ${position}))`,
    )
    .join('')})`;

async function listColumns(client: Client, table: string): Promise<string[]> {
  const result = await client.query({
    query: `select name from system.columns where database = currentDatabase() and table = '${table}'
              and default_kind not in ('ALIAS', 'MATERIALIZED') order by position`,
    format: 'JSONEachRow',
  });
  return ((await result.json()) as { name: string }[]).map(row => row.name);
}

/** Inserts the rows of a file, in chunks, into the columns that its first line names. */
export async function loadRows(client: Client, table: string, dir: string, name: string): Promise<void> {
  let columns: string[] | undefined;
  let inserts = 0;
  async function insert(rows: Buffer): Promise<void> {
    if (rows.length === 0) return;
    await client.insert({
      table,
      columns: columns as [string, ...string[]],
      values: Readable.from([rows], { objectMode: false }),
      format,
      clickhouse_settings: {
        ...settings,
        ...oneBlock,
        insert_deduplication_token: `restore-${name}-${inserts++}`,
      },
    });
  }
  let buffered: Buffer[] = [];
  let size = 0;
  /** Removes the complete rows from the buffer, without the line of columns. */
  function takeRows(): Buffer {
    let all = Buffer.concat(buffered);
    if (!columns) {
      const end = all.indexOf(newline);
      columns = all.toString('utf8', 0, end).split('\t');
      all = all.subarray(end + 1);
    }
    const end = all.lastIndexOf(newline) + 1;
    buffered = [all.subarray(end)];
    size = all.length - end;
    return all.subarray(0, end);
  }
  const chunks: AsyncIterable<Buffer> = createReadStream(join(dir, name)).pipe(createGunzip());
  for await (const chunk of chunks) {
    buffered.push(chunk);
    size += chunk.length;
    if (size >= maxInsertBytes) await insert(takeRows());
  }
  await insert(takeRows());
}
