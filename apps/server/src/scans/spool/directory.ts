import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { isNoSpace } from './no-space.ts';
import { releaseReserve } from './reserve.ts';

/**
 * The directory of one process under the spool's root. A socket in it shows whether the process is alive: the kernel
 * closes it with the process, even on kill -9. A file with a process id would outlive the process and, between
 * containers, refer to another one. The root must therefore be on a local disk.
 */
export type SpoolDirectory = {
  readonly path: string;
  /** Creates the directory if the disk was too full for that when it was opened. */
  ensure(): Promise<void>;
  /** Takes over the segments of processes that no longer run. Resolves with their names in this directory. */
  adopt(): Promise<readonly string[]>;
  /** Resolves when the directory entries are on disk. */
  sync(): Promise<void>;
  /** Releases the directory. It stays while it holds segments, for another process to adopt. */
  close(): Promise<void>;
};

export const segmentExtension = '.spool';

const lockName = 'lock';
const openingSuffix = '.new';
const connectTimeoutMs = 1000;

/** On a full disk the directory is created later, by `ensure`: a process serves short links without it. */
export async function openSpoolDirectory(root: string): Promise<SpoolDirectory> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const path = join(root, randomBytes(6).toString('hex'));
  let created: Promise<Server> | null = null;
  const ensure = async () => {
    created ??= createLocked(root, path);
    await created.catch(error => {
      created = null;
      throw error;
    });
  };
  await ensure().catch(error => {
    if (!isNoSpace(error)) throw error;
  });
  return {
    path,
    ensure,
    async adopt() {
      await ensure();
      return adoptInto(root, path);
    },
    sync: () => syncDirectory(path),
    async close() {
      const lock = await created?.catch(() => null);
      if (lock) await release(path, lock);
    },
  };
}

async function createLocked(root: string, path: string): Promise<Server> {
  // It gets its final name only once it has its lock, so that no other process takes it for an orphan.
  const opening = `${path}${openingSuffix}`;
  const create = async () => {
    await mkdir(opening, { recursive: true, mode: 0o700 });
    const lock = await listen(join(opening, lockName));
    return rename(opening, path).then(
      () => lock,
      error => {
        lock.close();
        throw error;
      },
    );
  };
  try {
    return await create().catch(async error => {
      if (!isNoSpace(error) || !(await releaseReserve(root))) throw error;
      return create();
    });
  } catch (error) {
    await rm(opening, { recursive: true, force: true });
    throw error;
  }
}

/**
 * A directory under the root that keeps its name from process to process. Its segments belong to the process that has it
 * open; while none has, any process that shares the root adopts them.
 */
export async function openNamedDirectory(root: string, name: string): Promise<SpoolDirectory> {
  const path = join(root, name);
  await mkdir(path, { recursive: true, mode: 0o700 });
  if ((await probeLock(join(path, lockName))) === 'alive')
    throw new Error(`${path} is in use by another process`);
  await rm(join(path, lockName), { force: true });
  const lock = await listen(join(path, lockName));
  return {
    path,
    ensure: async () => undefined,
    adopt: () => adoptInto(root, path),
    sync: () => syncDirectory(path),
    close: () => release(path, lock),
  };
}

async function release(path: string, lock: Server): Promise<void> {
  // First the name, then the socket: a process that finds no lock may adopt what is left.
  await unlink(join(path, lockName)).catch(() => undefined);
  await new Promise(resolve => lock.close(resolve));
  await rmdir(path).catch(() => undefined);
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

/** Whether a running process uses the root. */
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
      if (!name.endsWith(segmentExtension)) continue;
      // Of two processes that adopt at the same time, one gets the file and the other finds it gone.
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
  const state = await probeLock(join(path, lockName));
  // A directory that is being opened has no lock yet, and nothing to adopt either.
  if (state === 'absent') return name.endsWith(openingSuffix);
  return state === 'alive';
}

/** Only a refused connection proves that no process listens: a stopped or overloaded process does not refuse. */
function probeLock(socketPath: string): Promise<LockState> {
  return new Promise(resolve => {
    const socket = connect(socketPath);
    const finish = (state: LockState) => {
      socket.destroy();
      resolve(state);
    };
    socket.setTimeout(connectTimeoutMs, () => finish('alive'));
    socket.once('connect', () => finish('alive'));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      finish(error.code === 'ECONNREFUSED' ? 'dead' : error.code === 'ENOENT' ? 'absent' : 'alive');
    });
  });
}

type LockState = 'alive' | 'dead' | 'absent';

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
