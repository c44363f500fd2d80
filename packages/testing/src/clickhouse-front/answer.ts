import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Session } from 'chdb';
import type { FrontRequest } from './request.ts';

/** Runs a request on a session and answers it as ClickHouse does. */
export async function answer(
  session: Session,
  request: FrontRequest,
  response: ServerResponse,
): Promise<void> {
  const { sql, data, format, isReadOnly } = request;
  if (isReadOnly && !isReading.test(sql))
    throw new Error('Code: 164. DB::Exception: Cannot execute query in readonly mode. (READONLY)');
  if (data === null && /^\s*(select|with)\b/i.test(sql)) return stream(session, request, response);
  const whole = data === null ? sql : `${sql}\n${data.toString('utf8')}`;
  const result = await session.queryAsync(whole, { format });
  const summary = {
    read_rows: String(result.rowsRead),
    written_rows: data === null ? '0' : String(result.rowsRead),
  };
  response.setHeader('X-ClickHouse-Summary', JSON.stringify(summary));
  response.end(result.bytes());
}

const isReading = /^\s*(select|with|explain|show|describe|exists)\b/i;

/** Streams a long response. The status is sent with the first chunk, so that an early error still has its own status. */
async function stream(session: Session, request: FrontRequest, response: ServerResponse) {
  // A client that disconnected while its query was queued needs no response.
  if (response.destroyed) return;
  const chunks = session.queryStream(request.sql, { format: request.format });
  response.setHeader('X-ClickHouse-Exception-Tag', exceptionTag);
  let isWhole = false;
  // A client that disconnects ends the query: at once while it waits for the client, otherwise with its next chunk.
  response.once('close', () => isWhole || chunks.cancel());
  try {
    for await (const chunk of chunks) {
      if (response.destroyed) return;
      if (!response.write(chunk.raw()))
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    isWhole = true;
    response.end();
  } catch (error) {
    if (!response.headersSent) throw error;
    await breakOff(response, request, toText(error));
  } finally {
    chunks.cancel();
    // The engine drops an aborted query only with the next query of the same connection.
    if (!isWhole) await session.queryAsync('SELECT 1').catch(() => undefined);
  }
}

/**
 * An exception after the status was sent. Before 25.11 it is by default a row of formats with a row a line, and the response
 * ends as a complete one does. Otherwise it follows the rows, between marks, and the connection closes without an end.
 */
async function breakOff(
  response: ServerResponse,
  { sql, exceptionsAreRows }: FrontRequest,
  text: string,
): Promise<void> {
  const format = /\bformat\s+(\w+)\s*$/i.exec(sql)?.[1];
  if (exceptionsAreRows && format === 'JSONEachRow') response.end(`${JSON.stringify({ exception: text })}\n`);
  else if (exceptionsAreRows && format === 'JSONCompactEachRow') response.end(`${JSON.stringify([text])}\n`);
  else {
    const mark = '__exception__\r\n';
    const length = Buffer.byteLength(`${text}\n`);
    const body = `\r\n${mark}${exceptionTag}\r\n${text}\n${length} ${exceptionTag}\r\n${mark}`;
    await new Promise(resolve => response.write(body, resolve));
    response.destroy();
  }
}

const exceptionTag = randomBytes(8).toString('hex');

const toText = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The statuses of the codes that tests meet; all others have 500. */
const statuses = new Map(
  Object.entries({ 400: [6, 26, 27, 38, 41, 53, 62], 404: [46, 47, 60, 81], 408: [159], 501: [48] }).flatMap(
    ([status, codes]) => codes.map(code => [String(code), Number(status)] as const),
  ),
);

/** An error as ClickHouse sends it: the code in a header, the message in the body. */
export function refuse(response: ServerResponse, error: unknown): void {
  const message = toText(error);
  // A response that began as a success cannot be taken back, so the connection is closed.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const code = /^Code: (\d+)/.exec(message)?.[1];
  const text = code === undefined ? `Code: 1001. DB::Exception: ${message}. (STD_EXCEPTION)` : message;
  response.writeHead(statuses.get(code ?? '') ?? 500, {
    'content-type': 'text/plain; charset=UTF-8',
    'x-clickhouse-exception-code': code ?? '1001',
  });
  response.end(`${text}\n`);
}
