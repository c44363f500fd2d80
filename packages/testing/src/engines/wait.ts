import { setTimeout as pause } from 'node:timers/promises';

export type WaitOptions = { readonly timeoutMs?: number; readonly everyMs?: number };

/**
 * Polls until `probe` returns true. The timeout only catches what never happens; where a time is promised, the test passes
 * its own. On timeout it throws with the condition and the failure of the last attempt.
 */
export async function waitUntil(
  what: string,
  probe: () => boolean | Promise<boolean>,
  { timeoutMs = 120_000, everyMs = 25 }: WaitOptions = {},
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
  throw new Error(`Timed out after ${timeoutMs} ms waiting until ${what}${because}`, { cause: lastError });
}
