import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { connect } from '../platform/clickhouse/clickhouse.ts';
import { copiedTables, type ShardPosition } from './backup.ts';
import { listParts, writeByEngine } from './row-files.ts';

/** A private directory beside the files of the engine, for the socket and for files on their way. */
const backupDirectory = (engineDir: string): string => join(engineDir, 'backup');
export const toSocketPath = (engineDir: string): string => join(backupDirectory(engineDir), 'socket');

/** What `signpost backup` asks for. Without a part: which parts there are. */
export type RowRequest = {
  readonly table: string;
  readonly logs: readonly ShardPosition[];
  readonly part?: string;
};

type Options = {
  readonly url: string;
  readonly engineDir: string;
  readonly onError: (error: unknown) => void;
};

/**
 * Serves the rows of the engine inside this process to `signpost backup`, since no other process can open the engine. Only
 * the user that the engine's files belong to can connect.
 */
export async function serveRows({ url, engineDir, onError }: Options): Promise<{ close(): Promise<void> }> {
  const directory = backupDirectory(engineDir);
  // What is there is left from a process that was killed: this one has locked the engine's directory.
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { mode: 0o700 });
  const server = createServer((request, response) => {
    respond(request, response, url, directory).catch(error => {
      onError(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    });
  });
  const path = toSocketPath(engineDir);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  return {
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  url: string,
  directory: string,
): Promise<void> {
  const { table, logs, part } = readRequest((await json(request)) as RowRequest);
  // A session of its own: within one, queries wait for each other, and these take long.
  const client = await connect(url);
  const path = join(directory, `${randomUUID()}.tsv.gz`);
  try {
    if (part === undefined) {
      response.end(JSON.stringify(await listParts(client, table, logs)));
      return;
    }
    await writeByEngine(client, { table, logs, part }, path);
    const file = await open(path);
    // It lasts until it is read: nothing is left behind if the other side ends.
    await rm(path);
    await pipeline(file.createReadStream(), response);
  } finally {
    await client.close();
    await rm(path, { force: true });
  }
}

/** Everything in it becomes part of a statement. */
function readRequest({ table: name, logs, part }: RowRequest) {
  const table = copiedTables.find(copied => copied.name === name);
  const areLogs =
    Array.isArray(logs) &&
    logs.every(({ shard, log, position }) => [shard, log, position].every(Number.isSafeInteger));
  if (!table || !areLogs || (part !== undefined && !/^\d{8}$/.test(part)))
    throw new Error('signpost backup is of another version than the running process');
  return { table, logs, part };
}
