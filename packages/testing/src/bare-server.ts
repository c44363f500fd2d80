import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A process that only answers with a constant redirect: the baseline of what this machine can do at the moment. */
export type BareServer = { readonly url: string; close(): void };

export async function startBareServer(): Promise<BareServer> {
  const child = fork(new URL('bare-process.ts', import.meta.url));
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}`, close: () => child.disconnect() };
}

/** The promised time, or three times what the baseline took meanwhile on a machine that is overloaded. */
export const promisedMs = (promised: number, bareMs: number): number => Math.max(promised, 3 * bareMs);
