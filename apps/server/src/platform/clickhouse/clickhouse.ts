import { setImmediate as turn } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { createAgent } from '../nats/connect-agent.ts';
import { toCallerError } from './clickhouse-errors.ts';

/** Runs queries on a ClickHouse server. */
export type ClickHouse = {
  query<Row extends object>(query: string, params?: Params, options?: QueryOptions): Promise<Row[]>;
  /**
   * A long result, a few rows at a time, each a list of its columns; it is read no faster than it is consumed. `return` or
   * the signal ends the query.
   */
  stream<Row extends readonly unknown[]>(
    query: string,
    params?: Params,
    options?: QueryOptions,
  ): AsyncGenerator<Row[]>;
  /** A statement without a result. */
  command(query: string, params?: Params, options?: QueryOptions): Promise<void>;
  /**
   * Rows with their values in the order of the columns. On tables with a deduplication window ClickHouse skips a block whose
   * token it has seen: rows sent twice under the same token are stored once.
   */
  insert(into: Table, rows: Rows, token: string, options?: QueryOptions): Promise<void>;
  close(): Promise<void>;
};

type Params = Readonly<Record<string, unknown>>;
export type Table = { readonly table: string; readonly columns: readonly [string, ...string[]] };
type Rows = readonly (readonly (string | number)[])[];

/** `timeoutMs` holds on both sides: the client stops waiting, and the engine stops working. */
export type QueryOptions = {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when the query has ended. */
  readonly onSettled?: () => void;
  /** The projection to prefer if several fit; parts without it are read by their rows. */
  readonly projection?: string;
};

const defaultTimeoutMs = 10_000;

/** `http://user:password@host:8123/database`; it connects with the first query. */
export async function createClickHouse(url: string, maxConnections?: number): Promise<ClickHouse> {
  const client = await connect(url, maxConnections);
  return {
    query: (query, params, options) =>
      run(options, async (abort_signal, clickhouse_settings) => {
        const result = await client.query({
          query,
          format: 'JSONEachRow',
          query_params: { ...params },
          abort_signal,
          clickhouse_settings: { ...clickhouse_settings, ...readSettings, ...preferring(options) },
        });
        // Once a result has begun, the client neither closes its connection nor stops waiting for the rest by itself.
        const close = () => result.close();
        abort_signal.addEventListener('abort', close);
        try {
          return await result.json();
        } finally {
          abort_signal.removeEventListener('abort', close);
        }
      }),
    stream: (query, params, options) => streamRows(client, query, params, options),
    command: (query, params, options) =>
      run(options, async (abort_signal, clickhouse_settings) => {
        await client.command({ query, query_params: { ...params }, abort_signal, clickhouse_settings });
      }),
    insert: ({ table, columns }, rows, token, options) =>
      run(options, async (abort_signal, clickhouse_settings) => {
        await client.insert({
          table,
          columns: [...columns] as [string, ...string[]],
          values: rows,
          format: 'JSONCompactEachRow',
          abort_signal,
          clickhouse_settings: { ...clickhouse_settings, ...oneBlock, insert_deduplication_token: token },
        });
      }),
    close: () => client.close(),
  };
}

async function* streamRows<Row extends readonly unknown[]>(
  client: ClickHouseClient,
  query: string,
  params: Params = {},
  { timeoutMs = defaultTimeoutMs, signal }: QueryOptions = {},
): AsyncGenerator<Row[]> {
  const ending = new AbortController();
  const timeout = AbortSignal.timeout(timeoutMs);
  const anySignal = AbortSignal.any([timeout, ending.signal, ...(signal ? [signal] : [])]);
  try {
    // Not by the client's own row stream: it parses rows long before they are consumed, and waiting garbage grows old.
    const result = await client.exec({
      // On one core: the reader of a long result is in no hurry, and others are.
      query: `${query} settings max_threads = 1 format JSONCompactEachRow`,
      query_params: { ...params },
      // The end of the generator is the end of the query: its slot is not freed while the engine still works.
      abort_signal: anySignal,
      clickhouse_settings: { ...readSettings, max_execution_time: Math.ceil(timeoutMs / 1_000) },
    });
    anySignal.addEventListener('abort', () => result.stream.destroy());
    for await (const lines of wholeLines(result.stream)) {
      anySignal.throwIfAborted();
      // A line break inside a value is escaped as \n: every real one ends a row.
      yield JSON.parse(`[${lines.toString('utf8').replaceAll('\n', ',')}]`);
      await turn();
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw toCallerError(error, timeout);
  } finally {
    ending.abort();
  }
}

/** Little enough that other work does not wait for the parsing. */
const parseBytes = 32 * 1024;
const lineBreak = 0x0a;

/** A few whole lines at a time, without the last line break. */
async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const before = rest.lastIndexOf(lineBreak, parseBytes);
      const end = before >= 0 ? before : rest.indexOf(lineBreak);
      if (end < 0) break;
      yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
  }
  if (rest.length > 0) throw new Error('The result ends in the middle of a row');
}

const preferring = ({ projection }: QueryOptions = {}) =>
  projection === undefined ? {} : { preferred_optimize_projection_name: projection };

/** Settings of every read. */
const readSettings = {
  // 64-bit integers come as numbers: counts and positions fit a double with room to spare.
  output_format_json_quote_64bit_integers: 0,
  // ClickHouse stops working for a caller that has gone: only for a query that may not write.
  cancel_http_readonly_queries_on_client_close: 1,
  readonly: '2',
  // Before 25.11 an exception in the middle of a result is one more row of it otherwise.
  http_write_exception_in_output_format: 0,
} as const;

/** One insert is one block, stored before it is acknowledged: the token stands for the whole of it. */
const oneBlock = { async_insert: 0, input_format_parallel_parsing: 0, max_insert_threads: '1' } as const;

/** The API passes more than the exports and queries it runs at a time, so that none of them waits for a connection. */
async function connect(url: string, maxConnections = 32): Promise<ClickHouseClient> {
  // Most installations have no ClickHouse, and need not keep its client in memory.
  const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client');
  return createClient({
    url,
    log: { level: ClickHouseLogLevel.OFF },
    application: 'signpost',
    http_agent: createAgent(url, maxConnections),
    // Every call has its own time limit; the client's would cut off an export that is read slowly.
    request_timeout: 60 * 60 * 1000,
    max_open_connections: maxConnections,
  });
}

type Call<Result> = (
  signal: AbortSignal,
  settings: { readonly max_execution_time: number },
) => Promise<Result>;

async function run<Result>(options: QueryOptions = {}, call: Call<Result>): Promise<Result> {
  const { timeoutMs = defaultTimeoutMs, signal, onSettled } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const settings = { max_execution_time: Math.ceil(timeoutMs / 1_000) };
  try {
    either.throwIfAborted();
    return await Promise.race([call(either, settings), rejectOnAbort(either)]);
  } catch (error) {
    signal?.throwIfAborted();
    throw toCallerError(error, timeout);
  } finally {
    onSettled?.();
  }
}

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** For the backup, which moves whole files of rows. */
export { connect, oneBlock };
