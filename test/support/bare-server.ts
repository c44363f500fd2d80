import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A process that answers with a constant redirect and does nothing else: what this machine gives at this moment to anybody. */
export type BareServer = { readonly url: string; close(): void };

export async function startBareServer(): Promise<BareServer> {
  const child = fork(new URL('bare-process.ts', import.meta.url));
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}`, close: () => child.disconnect() };
}

/** What was promised, or on a machine that is held up three times what something bare took beside it. */
export const promisedMs = (promised: number, bareMs: number): number => Math.max(promised, 3 * bareMs);
