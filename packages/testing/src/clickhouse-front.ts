import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { answer, refuse } from './clickhouse-front/answer.ts';
import { readRequest } from './clickhouse-front/request.ts';
import { createSessions } from './clickhouse-front/sessions.ts';

/**
 * `node packages/testing/src/clickhouse-front.ts --port P --dir D`: ClickHouse's engine (chDB) behind the part of its HTTP
 * interface that our client uses, for tests in which several processes share one ClickHouse that can be killed.
 */
const { port, dir } = parseArgs({ options: { port: { type: 'string' }, dir: { type: 'string' } } }).values;
if (port === undefined || dir === undefined) throw new Error('Give --port and --dir');

const sessions = createSessions(dir);

async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
  if (message.url === '/ping') {
    response.end('Ok.\n');
    return;
  }
  try {
    const request = await readRequest(message);
    response.setHeader('X-ClickHouse-Query-Id', request.queryId ?? randomUUID());
    response.setHeader('X-ClickHouse-Timezone', 'UTC');
    await sessions.run(request, session => answer(session, request, response));
  } catch (error) {
    refuse(response, error);
  }
}

// The engine reads its data directory at the first query; the port opens only after that.
await sessions.run(
  {
    ...{ sql: '', data: null, database: 'default', queryId: null, format: 'CSV', settings: {} },
    ...{ isReadOnly: false, exceptionsAreRows: false },
  },
  s => s.queryAsync('SELECT 1'),
);
const server = createServer(
  // Parameters of a query are part of its URL, which ClickHouse accepts up to a megabyte.
  { keepAliveTimeout: 10_000, maxHeaderSize: 1024 * 1024 },
  (message, response) => void handle(message, response),
);
server.listen(Number(port), '127.0.0.1');

function stop(): void {
  server.close(() => {
    sessions.close();
    process.exit(0);
  });
  server.closeAllConnections();
}
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
