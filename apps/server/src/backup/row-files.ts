import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type connect, oneBlock } from '../platform/clickhouse.ts';
import type { CopiedTable, LogMark } from './backup.ts';

type Client = Awaited<ReturnType<typeof connect>>;

/** Text, below a line with the names of the columns: any ClickHouse reads it, of any version, and so does anything else in twenty years. */
const format = 'TabSeparated';
/** An insert is so large at most: a part on the disk, and a body that any proxy takes. */
const insertBytes = 4 * 1024 * 1024;
const settings = { max_execution_time: 0 };

/** The names of the files that a table makes, each with the condition of its rows. */
export async function filesOf(client: Client, table: CopiedTable, logs: readonly LogMark[]) {
  const counted = table.byPosition ? countedIn(logs) : '1';
  const answer = await client.query({
    query: `select distinct toString(${table.fileBy}) as part from ${table.name} where ${counted} order by part`,
    format: 'JSONEachRow',
    clickhouse_settings: settings,
  });
  const parts = (await answer.json()) as { part: string }[];
  return parts.map(({ part }) => ({
    name: `${table.name}-${part}.tsv.gz`,
    where: `${counted} and toString(${table.fileBy}) = '${part}'`,
  }));
}

/** Rows at position 0 were restored from a backup that an older version had taken; they are part of every backup. */
const countedIn = (logs: readonly LogMark[]) =>
  `(position = 0${logs
    .map(one => ` or (shard = ${one.shard} and (log_number, position) <= (${one.log}, ${one.position}))`)
    .join('')})`;

/** Writes the rows of a condition below a line with the names of their columns; returns how many. */
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
  const answer = await client.query({
    query: `select name from system.columns where database = currentDatabase() and table = '${table}'
              and default_kind not in ('ALIAS', 'MATERIALIZED') order by position`,
    format: 'JSONEachRow',
  });
  return ((await answer.json()) as { name: string }[]).map(row => row.name);
}

const newline = 0x0a;

/** Inserts the rows of a file, some megabytes at a time, into the columns that its first line names. */
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
  let waiting: Buffer[] = [];
  let size = 0;
  /** What waits, without the line of columns, up to the end of its last row; the rest waits on. */
  function take(): Buffer {
    let all = Buffer.concat(waiting);
    if (!columns) {
      const end = all.indexOf(newline);
      columns = all.toString('utf8', 0, end).split('\t');
      all = all.subarray(end + 1);
    }
    const end = all.lastIndexOf(newline) + 1;
    waiting = [all.subarray(end)];
    size = all.length - end;
    return all.subarray(0, end);
  }
  const chunks: AsyncIterable<Buffer> = createReadStream(join(dir, name)).pipe(createGunzip());
  for await (const chunk of chunks) {
    waiting.push(chunk);
    size += chunk.length;
    if (size >= insertBytes) await insert(take());
  }
  await insert(take());
}
