import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range of outgoing connections, so that a killed engine finds its port free when it is started again. */
const [firstPort, slices, portsPerSlice] = [15_000, 8, 2_125];
/** Test files that run beside each other look in different places: a server takes a while until it listens. */
const slice = Number(process.env.VITEST_POOL_ID ?? process.pid) % slices;
const given = new Set<number>();

/** A port of 127.0.0.1 that nothing listens on, and that this process has not been given before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 1_000; tries++) {
    const port = firstPort + slice * portsPerSlice + randomInt(portsPerSlice);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error('Found no free port in 1,000 tries');
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
