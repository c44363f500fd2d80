import type { Server } from 'node:http';

/**
 * Stops taking requests, by `close`, and resolves when those in flight are answered. A connection that falls idle
 * meanwhile is closed too: else a client that keeps its connections would keep the process.
 */
export async function closeServer(server: Server, close: () => Promise<unknown>): Promise<void> {
  const sweeper = setInterval(() => server.closeIdleConnections(), 50);
  try {
    await close();
  } finally {
    clearInterval(sweeper);
  }
}
