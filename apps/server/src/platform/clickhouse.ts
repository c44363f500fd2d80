import { setImmediate as turn } from 'node:timers/promises';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { AppError } from '../kernel/errors.ts';
import { createAgent } from './connect-agent.ts';

/** Asks questions of ClickHouse: a server, or the engine in this process. */
export type ClickHouse = {
  query<Row extends object>(query: string, params?: Params, limits?: Limits): Promise<Row[]>;
  /**
   * A long answer, some rows at a time, each a list of its columns; it is read no faster than it is taken. `return` or the
   * signal ends the query. The engine in this process has the whole answer in memory first.
   */
  stream<Row extends readonly unknown[]>(
    query: string,
    params?: Params,
    limits?: Limits,
  ): AsyncGenerator<Row[]>;
  /** A statement that answers nothing but that it is done. */
  command(query: string, params?: Params, limits?: Limits): Promise<void>;
  /**
   * Rows by position in the order of the columns. ClickHouse leaves out a block whose token it has seen, on tables
   * that remember tokens: the same rows sent again under the same token are there once.
   */
  insert(into: Table, rows: Rows, token: string, limits?: Limits): Promise<void>;
  close(): Promise<void>;
};

export type Params = Readonly<Record<string, unknown>>;
export type Table = { readonly table: string; readonly columns: readonly [string, ...string[]] };
export type Rows = readonly (readonly (string | number)[])[];

/** `timeoutMs` counts on both sides: the client stops waiting, and the engine stops working on it. */
export type Limits = {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when the engine has stopped working on it, which in this process may be after the caller was answered. */
  readonly onSettled?: () => void;
  /** The projection to answer from where several could; parts without it are read by their rows. */
  readonly projection?: string;
};

const defaultTimeoutMs = 10_000;

/** `http://user:password@host:8123/database` is a server; `chdb:///path` runs the engine in this process. */
export async function createClickHouse(url: string, mostConnections?: number): Promise<ClickHouse> {
  const client = await connect(url, mostConnections);
  const isInProcess = url.startsWith('chdb:');
  const ask = createAsk(isInProcess);
  return {
    query: (query, params, limits) =>
      ask(limits, async (abort_signal, clickhouse_settings) => {
        const answer = await client.query({
          query,
          format: 'JSONEachRow',
          query_params: { ...params },
          abort_signal,
          clickhouse_settings: { ...clickhouse_settings, ...readSettings, ...preferring(limits) },
        });
        // Once an answer has begun, the client itself neither ends its connection nor stops waiting for the rest.
        const cut = () => answer.close();
        abort_signal.addEventListener('abort', cut);
        try {
          return await answer.json();
        } finally {
          abort_signal.removeEventListener('abort', cut);
        }
      }),
    stream: (query, params, limits) => streamRows(client, isInProcess, query, params, limits),
    command: (query, params, limits) =>
      ask(limits, async (abort_signal, clickhouse_settings) => {
        await client.command({ query, query_params: { ...params }, abort_signal, clickhouse_settings });
      }),
    insert: ({ table, columns }, rows, token, limits) =>
      ask(limits, async (abort_signal, clickhouse_settings) => {
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
  isInProcess: boolean,
  query: string,
  params: Params = {},
  { timeoutMs = defaultTimeoutMs, signal }: Limits = {},
): AsyncGenerator<Row[]> {
  const ending = new AbortController();
  const timer = AbortSignal.timeout(timeoutMs);
  const any = AbortSignal.any([timer, ending.signal, ...(signal ? [signal] : [])]);
  try {
    // Not by the client's own rows: it makes them long before they are taken, and garbage that waits grows old.
    const answer = await client.exec({
      // On one core: who reads a long answer is in no hurry, and others are.
      query: `${query} settings max_threads = 1 format JSONCompactEachRow`,
      query_params: { ...params },
      // The end of the generator is the end of the query: nobody frees its place while the engine works on.
      abort_signal: isInProcess ? never : any,
      clickhouse_settings: { ...readSettings, max_execution_time: Math.ceil(timeoutMs / 1_000) },
    });
    any.addEventListener('abort', () => answer.stream.destroy());
    for await (const lines of wholeLines(answer.stream)) {
      any.throwIfAborted();
      // A line break within a value is written as \n: every real one ends a row.
      yield JSON.parse(`[${lines.toString('utf8').replaceAll('\n', ',')}]`);
      await turn();
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw faultOf(error, timer);
  } finally {
    ending.abort();
  }
}

/** Not so much that others wait for this process to have parsed it. */
const parsedAtOnce = 16 * 1024;
const lineBreak = 0x0a;

/** Some whole lines at a time, without the last line break. */
async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const before = rest.lastIndexOf(lineBreak, parsedAtOnce);
      const end = before >= 0 ? before : rest.indexOf(lineBreak);
      if (end < 0) break;
      yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
  }
  if (rest.length > 0) throw new Error('The answer ends within a row');
}

const preferring = ({ projection }: Limits = {}) =>
  projection === undefined ? {} : { preferred_optimize_projection_name: projection };

/** Settings of everything that is read. */
const readSettings = {
  // A number of 64 bits comes as a number: counts and positions fit a double with room to spare.
  output_format_json_quote_64bit_integers: 0,
  // Nobody works on for a caller who has gone.
  cancel_http_readonly_queries_on_client_close: 1,
} as const;

/** One insert is one block, here before it is acknowledged: a token names the whole of it. */
const oneBlock = { async_insert: 0, input_format_parallel_parsing: 0, max_insert_threads: '1' } as const;

/** The API asks for more than it has exports and questions at a time, so that none of them waits for a connection. */
async function connect(url: string, mostConnections = 32): Promise<ClickHouseClient> {
  const log = { level: ClickHouseLogLevel.OFF };
  if (!url.startsWith('chdb:')) {
    const http_agent = createAgent(url, mostConnections);
    // Every call has a limit of its own; the client's would cut off an export that is read slowly.
    const request_timeout = 60 * 60 * 1000;
    return createClient({
      url,
      log,
      application: 'signpost',
      http_agent,
      request_timeout,
      max_open_connections: mostConnections,
    });
  }
  // Half a gigabyte that only those install who run the engine in the process.
  const { createChdbConnection } = await import('chdb/connection');
  const connection: unknown = createChdbConnection({ path: new URL(url).pathname });
  return createClient({ connection: connection as ChdbConnection, log });
}

/** chDB declares what it is by its own copy of the client's types, which TypeScript takes for others. */
type ChdbConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>;

type Call<Result> = (
  signal: AbortSignal,
  settings: { readonly max_execution_time: number },
) => Promise<Result>;

/** Nothing interrupts the engine in this process: it would only stop telling when it is done. */
const never = new AbortController().signal;

function createAsk(isInProcess: boolean) {
  return async <Result>(limits: Limits = {}, call: Call<Result>): Promise<Result> => {
    const { timeoutMs = defaultTimeoutMs, signal, onSettled } = limits;
    const timer = AbortSignal.timeout(timeoutMs);
    const either = signal ? AbortSignal.any([signal, timer]) : timer;
    const settings = { max_execution_time: Math.ceil(timeoutMs / 1_000) };
    const answer = either.aborted
      ? Promise.reject(either.reason)
      : call(isInProcess ? never : either, settings);
    const inTime = Promise.race([answer, endOf(either)]);
    (isInProcess ? answer : inTime).catch(() => undefined).finally(onSettled);
    try {
      return await inTime;
    } catch (error) {
      signal?.throwIfAborted();
      throw faultOf(error, timer);
    }
  };
}

const endOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** An error as a caller may see it: out of time, away, or as it is. */
function faultOf(error: unknown, timer: AbortSignal): unknown {
  if (timer.aborted || refusalOf(error)?.code === outOfTime) {
    const message = 'The answer took too long to work out. Ask for a shorter period, or try again.';
    return new AppError('timeout', message, { cause: error });
  }
  return isAway(error) ? unavailable(error) : error;
}

const outOfTime = 159;

/** The number and name of ClickHouse's refusal, or null where it did not get to judge the question. */
export function refusalOf(error: unknown): { readonly code: number; readonly type: string } | null {
  // By shape and not by class, since the engine in the process throws its own copy of the class.
  const { code, type } = (error ?? {}) as { code?: unknown; type?: unknown };
  return typeof code === 'string' && /^\d+$/.test(code)
    ? { code: Number(code), type: String(type ?? '') }
    : null;
}

/** Whether ClickHouse refused the rows that it was given, rather than the statement or the caller. */
export function blamesValues(error: unknown): boolean {
  const refusal = refusalOf(error);
  return refusal !== null && aboutValues.has(refusal.code);
}

/** For who moves whole files of rows. */
export { connect, oneBlock };

/** What cannot be parsed as the type of its column, is out of its range, or breaks a constraint. */
const aboutValues = new Set([
  6, 26, 27, 38, 41, 53, 69, 72, 117, 131, 190, 321, 349, 376, 407, 441, 467, 469, 675, 676,
]);

const unavailable = (cause: unknown) =>
  new AppError('unavailable', 'Analytics cannot be reached at the moment. Try again shortly.', {
    cause,
    retryAfterSeconds: 1,
  });

/** Whether ClickHouse, rather than the question, is at fault. What is no word of ClickHouse's is a broken connection. */
function isAway(error: unknown): boolean {
  const refusal = refusalOf(error);
  return refusal === null || momentary.has(refusal.code);
}

/**
 * Out of threads, memory, disk, parts or connections, cancelled, read-only for now, or without its Keeper:
 * the same question may be answered later.
 */
const momentary = new Set([198, 202, 203, 209, 210, 225, 236, 241, 242, 243, 252, 279, 319, 394, 439, 999]);
