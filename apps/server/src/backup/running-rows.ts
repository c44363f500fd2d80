import { createReadStream, createWriteStream } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type RowRequest, toSocketPath } from './row-socket.ts';
import { createLineCounter, type RowSource } from './rows.ts';

/** The rows of an engine that a running process has open. Null if no process serves them. */
export async function rowsOfRunningProcess(engineDir: string): Promise<RowSource | null> {
  const socketPath = toSocketPath(engineDir);
  if (!(await isServed(socketPath))) return null;
  return {
    async listParts({ name }, logs) {
      return JSON.parse(await text(await ask(socketPath, { table: name, logs })));
    },
    async write({ table, logs, part }, path) {
      const response = await ask(socketPath, { table: table.name, logs, part });
      await pipeline(response, createWriteStream(path, { mode: 0o600 }));
      return countRows(path);
    },
  };
}

/** Also shows that the file is whole: the end of a compressed file has its length and checksum. */
async function countRows(path: string): Promise<number> {
  const lines = createLineCounter();
  await pipeline(createReadStream(path), createGunzip(), async chunks => {
    for await (const chunk of chunks as AsyncIterable<Buffer>) lines.count(chunk);
  });
  return lines.rows();
}

const isServed = (socketPath: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(socketPath, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // No process has the engine open, or one was killed and left its socket.
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(false);
      else
        reject(
          new Error(
            `The running process cannot be asked for its scans at ${socketPath}: ${error.message}. Run this as the user that it runs as.`,
            { cause: error },
          ),
        );
    });
  });

async function ask(socketPath: string, body: RowRequest): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ socketPath, method: 'POST', agent: false }, resolve)
      .on('error', cause => reject(new Error('The running process ended during the backup.', { cause })))
      .end(JSON.stringify(body));
  });
  if (response.statusCode === 200) return response;
  throw new Error(`The running process could not copy its scans: ${await text(response)}`);
}
