import { useEffect, useEffectEvent } from 'react';

type Taker = () => void;

/** Who wants Escape for themselves; the newest gets it. */
const takers: Taker[] = [];

// Dialogs listen to the window too. This file is loaded before any of them, so it is asked first.
window.addEventListener(
  'keydown',
  event => {
    const taker = takers.at(-1);
    if (event.key !== 'Escape' || event.isComposing || !taker) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    taker();
  },
  { capture: true },
);

/** While active, Escape does this and closes no dialog. */
export function useEscape(isActive: boolean, onEscape: () => void): void {
  const escaped = useEffectEvent(onEscape);
  useEffect(() => {
    if (!isActive) return;
    const taker = () => escaped();
    takers.push(taker);
    return () => {
      takers.splice(takers.indexOf(taker), 1);
    };
  }, [isActive]);
}
