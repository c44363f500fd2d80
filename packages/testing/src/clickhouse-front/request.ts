import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';

/** A request to ClickHouse's HTTP interface. */
export type FrontRequest = {
  readonly sql: string;
  /** Rows of an INSERT that are sent after its text. */
  readonly data: Buffer | null;
  readonly database: string;
  readonly queryId: string | null;
  readonly format: string;
  /** Whether the query may not write. */
  readonly isReadOnly: boolean;
  /** Whether an exception in the middle of a result becomes a row, as by default before 25.11. */
  readonly exceptionsAreRows: boolean;
  /** Settings of the engine, and the parameters `{name: Type}` as `param_name`. */
  readonly settings: Readonly<Record<string, string>>;
};

const bodyLimit = 256 * 1024 * 1024;

export async function readRequest(message: IncomingMessage): Promise<FrontRequest> {
  const { searchParams } = new URL(message.url ?? '/', 'http://front');
  const body = await readBody(message);
  const inQuery = searchParams.get('query');
  const settings: Record<string, string> = {};
  for (const [name, value] of searchParams) {
    if (!ofTheInterface.has(name)) settings[name] = value;
  }
  return {
    sql: inQuery ?? body.toString('utf8'),
    data: inQuery !== null && body.length > 0 ? body : null,
    database: searchParams.get('database') ?? 'default',
    queryId: searchParams.get('query_id'),
    format: searchParams.get('default_format') ?? 'TabSeparated',
    isReadOnly: Number(searchParams.get('readonly') ?? 0) > 0,
    exceptionsAreRows: searchParams.get('http_write_exception_in_output_format') !== '0',
    settings,
  };
}

/** Query parameters for the HTTP interface itself; all others are settings of the engine. */
const ofTheInterface = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'user',
  'password',
  'role',
  'session_id',
  'session_timeout',
  'session_check',
  'compress',
  'decompress',
  'buffer_size',
  'wait_end_of_query',
  'stacktrace',
  'readonly',
  'enable_http_compression',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'http_write_exception_in_output_format',
  'cancel_http_readonly_queries_on_client_close',
]);

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) throw new Error(`A body of more than ${bodyLimit} bytes`);
    chunks.push(chunk);
  }
  // If a client dies while it sends rows, none of them must be stored.
  if (!message.complete) throw new Error('The body ended too early');
  const body = Buffer.concat(chunks);
  return message.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}
