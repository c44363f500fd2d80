import { useSyncExternalStore } from 'react';

/** Live and test are two worlds; which of them this browser looks at is kept from visit to visit. */
export type Mode = 'live' | 'test';

const key = 'signpost-mode';
const listeners = new Set<() => void>();

let current: Mode = localStorage.getItem(key) === 'test' ? 'test' : 'live';

export const currentMode = (): Mode => current;

export function switchMode(mode: Mode): void {
  current = mode;
  localStorage.setItem(key, mode);
  for (const listener of listeners) listener();
}

export function useMode(): Mode {
  return useSyncExternalStore(subscribe, currentMode);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
