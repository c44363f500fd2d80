import { useSyncExternalStore } from 'react';

/** Rises with each sign-in over the page, so that a refusal from before it is known as such. */
let session = 0;
let ended: PromiseWithResolvers<boolean> | undefined;
const listeners = new Set<() => void>();

export const currentSession = (): number => session;

/**
 * Waits until somebody has signed in again, for a request that was sent in an earlier session. False where the page has nothing
 * that asks for it, and where it is left instead.
 */
export async function signedInAgain(sentIn: number): Promise<boolean> {
  if (sentIn !== session) return true;
  if (listeners.size === 0) return false;
  if (!ended) {
    ended = Promise.withResolvers();
    notify();
  }
  return await ended.promise;
}

/** Somebody has signed in: what was refused is sent again. */
export function resumeSession(): void {
  session += 1;
  settle(true);
}

/** Whether an answer has said that the session has ended. What reads this shows the dialog. */
export const useSessionEnded = (): boolean => useSyncExternalStore(subscribe, () => ended !== undefined);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) settle(false);
  };
}

function settle(isBack: boolean): void {
  ended?.resolve(isBack);
  ended = undefined;
  notify();
}

function notify(): void {
  for (const listener of listeners) listener();
}
