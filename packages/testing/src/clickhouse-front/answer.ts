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
  const { sql, data, format } = request;
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

/** Streams a long response. The status is sent with the first chunk, so that an early error still has its own status. */
async function stream(session: Session, { sql, format }: FrontRequest, response: ServerResponse) {
  // A client that disconnected while its query was queued needs no response.
  if (response.destroyed) return;
  const chunks = session.queryStream(sql, { format });
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
  } finally {
    chunks.cancel();
    // The engine drops an aborted query only with the next query of the same connection.
    if (!isWhole) await session.queryAsync('SELECT 1').catch(() => undefined);
  }
}

/** An error as ClickHouse sends it: the code in a header, the message in the body. */
export function refuse(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  // A response that began as a success cannot be taken back, so the connection is closed.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const code = /^Code: (\d+)/.exec(message)?.[1];
  const text = code === undefined ? `Code: 1001. DB::Exception: ${message}. (STD_EXCEPTION)` : message;
  response.writeHead(code === '60' ? 404 : code === '62' ? 400 : 500, {
    'content-type': 'text/plain; charset=UTF-8',
    'x-clickhouse-exception-code': code ?? '1001',
  });
  response.end(`${text}\n`);
}
