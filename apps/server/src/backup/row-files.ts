import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type connect, oneBlock } from '../platform/clickhouse.ts';
import type { CopiedTable, ShardPosition } from './backup.ts';

type Client = Awaited<ReturnType<typeof connect>>;

/** Text, after a line with the column names: every version of ClickHouse reads it, and other tools will in twenty years. */
const format = 'TabSeparated';
/** The maximum size of an insert: one part on disk, and a body that any proxy accepts. */
const maxInsertBytes = 4 * 1024 * 1024;
const settings = { max_execution_time: 0 };

/** The files of a table, each with the condition of its rows. */
export async function filesOf(client: Client, table: CopiedTable, logs: readonly ShardPosition[]) {
  const counted = table.byPosition ? countedIn(logs) : '1';
  const result = await client.query({
    query: `select distinct toString(${table.fileBy}) as part from ${table.name} where ${counted} order by part`,
    format: 'JSONEachRow',
    clickhouse_settings: settings,
  });
  const parts = (await result.json()) as { part: string }[];
  return parts.map(({ part }) => ({
    name: `${table.name}-${part}.tsv.gz`,
    where: `${counted} and toString(${table.fileBy}) = '${part}'`,
  }));
}

/** Rows at position 0 were restored from a backup of an older version; they are part of every backup. */
const countedIn = (logs: readonly ShardPosition[]) =>
  `(position = 0${logs
    .map(
      ({ shard, log, position }) =>
        ` or (shard = ${shard} and (log_number, position) <= (${log}, ${position}))`,
    )
    .join('')})`;

/** Writes the rows of a condition after a line with their column names; returns how many. */
export async function writeRows(
  client: Client,
  { name }: CopiedTable,
  where: string,
  file: string,
): Promise<number> {
  const columns = await columnsOf(client, name);
  const query = `select ${columns.join(', ')} from ${name} where ${where} format ${format}`;
  const { stream } = await client.exec({ query, clickhouse_settings: settings });
  let rows = 0;
  async function* lines() {
    yield Buffer.from(`${columns.join('\t')}\n`);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      for (const byte of chunk) if (byte === newline) rows++;
      yield chunk;
    }
  }
  await pipeline(lines, createGzip({ level: 6 }), createWriteStream(file, { mode: 0o600 }));
  return rows;
}

async function columnsOf(client: Client, table: string): Promise<string[]> {
  const result = await client.query({
    query: `select name from system.columns where database = currentDatabase() and table = '${table}'
              and default_kind not in ('ALIAS', 'MATERIALIZED') order by position`,
    format: 'JSONEachRow',
  });
  return ((await result.json()) as { name: string }[]).map(row => row.name);
}

const newline = 0x0a;

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
