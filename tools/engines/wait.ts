import { setTimeout as pause } from 'node:timers/promises';

export type Patience = { readonly timeoutMs?: number; readonly everyMs?: number };

/**
 * Asks again and again until `probe` says true. The deadline is for what never comes: where a time is promised, the
 * test says which. Past the deadline it throws, telling what was awaited and how the last try failed.
 */
export async function waitUntil(
  what: string,
  probe: () => boolean | Promise<boolean>,
  { timeoutMs = 120_000, everyMs = 25 }: Patience = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let lastError: unknown;
  for (;;) {
    try {
      if (await probe()) return;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() >= deadline) break;
    await pause(everyMs);
  }
  const because = lastError === undefined ? '' : `: ${String(lastError)}`;
  throw new Error(`Waited ${timeoutMs} ms in vain until ${what}${because}`, { cause: lastError });
}
