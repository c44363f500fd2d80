import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/**
 * A directory of one process under the spool's root. Whose process lives is told by a socket in it that the process
 * listens on: the kernel ends it with the process, also at kill -9, where a file with a process id would outlive it and,
 * between containers, mean somebody else. The root must therefore lie on a disk of this machine.
 */
export type SpoolDirectory = {
  readonly path: string;
  /** Takes over the segments of processes that are gone. Resolves with the names they have here. */
  adopt(): Promise<readonly string[]>;
  /** Resolves when the names in the directory are on disk. */
  sync(): Promise<void>;
  /** Lets go; the directory stays while it holds segments, for another process to adopt. */
  close(): Promise<void>;
};

export const segmentEnding = '.spool';

const lockName = 'lock';
const openingEnding = '.new';
const connectTimeoutMs = 1000;

export async function openSpoolDirectory(root: string): Promise<SpoolDirectory> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const path = join(root, randomBytes(6).toString('hex'));
  // Under its own name it appears only with its lock, so that nobody takes it for an orphan meanwhile.
  const opening = `${path}${openingEnding}`;
  await mkdir(opening, { mode: 0o700 });
  const lock = await listen(join(opening, lockName));
  await rename(opening, path);
  return {
    path,
    adopt: () => adoptInto(root, path),
    sync: () => syncDirectory(path),
    async close() {
      // First the name, then the socket: who sees the lock gone may adopt what is left.
      await unlink(join(path, lockName)).catch(() => undefined);
      await new Promise(resolve => lock.close(resolve));
      await rmdir(path).catch(() => undefined);
    },
  };
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(socket => socket.destroy());
    server.once('error', cause => {
      reject(new Error('The spool directory cannot hold a socket: is its path too long?', { cause }));
    });
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** Whether a process works under the root now. */
export async function isSpoolInUse(root: string): Promise<boolean> {
  for (const entry of await readdir(root, { withFileTypes: true }))
    if (entry.isDirectory() && (await isAlive(join(root, entry.name), entry.name))) return true;
  return false;
}

async function adoptInto(root: string, own: string): Promise<readonly string[]> {
  const adopted: string[] = [];
  for (const entry of await readdir(root, { withFileTypes: true })) {
    const path = join(root, entry.name);
    if (!entry.isDirectory() || path === own || (await isAlive(path, entry.name))) continue;
    for (const name of await readdir(path).catch(() => [])) {
      if (!name.endsWith(segmentEnding)) continue;
      // Of two that adopt at the same time one gets the file; the other finds it gone.
      const moved = await rename(join(path, name), join(own, name)).then(
        () => true,
        () => false,
      );
      if (moved) adopted.push(name);
    }
    await rm(join(path, lockName), { force: true });
    await rmdir(path).catch(() => undefined);
  }
  if (adopted.length > 0) await syncDirectory(own);
  return adopted;
}

async function isAlive(path: string, name: string): Promise<boolean> {
  const answer = await knock(join(path, lockName));
  // One that is just being opened has no lock yet, and nothing to adopt either.
  if (answer === 'nothing') return name.endsWith(openingEnding);
  return answer === 'alive';
}

/** Only a refusal proves that nobody listens: a stopped or overloaded process does not refuse. */
function knock(socketPath: string): Promise<'alive' | 'dead' | 'nothing'> {
  return new Promise(resolve => {
    const socket = connect(socketPath);
    const answer = (it: 'alive' | 'dead' | 'nothing') => {
      socket.destroy();
      resolve(it);
    };
    socket.setTimeout(connectTimeoutMs, () => answer('alive'));
    socket.once('connect', () => answer('alive'));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      answer(error.code === 'ECONNREFUSED' ? 'dead' : error.code === 'ENOENT' ? 'nothing' : 'alive');
    });
  });
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
