import type { Server } from 'node:http';
import { runEvery } from '../../platform/background-jobs.ts';

/**
 * Stops accepting requests, by `close`, and resolves when those in flight are answered. Connections that become idle
 * meanwhile are closed too: otherwise a client that keeps its connections open would keep the process alive.
 */
export async function closeServer(server: Server, close: () => Promise<unknown>): Promise<void> {
  const stopSweeping = runEvery(50, () => server.closeIdleConnections());
  try {
    await close();
  } finally {
    stopSweeping();
  }
}
