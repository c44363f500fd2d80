import { useWindowEvent } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { isTyping, type Shortcut, shortcutOf } from './shortcut.ts';

/** Loaded when the key is pressed for the first time. */
const Palette = lazy(() => import('./palette.tsx').then(module => ({ default: module.Palette })));
const KeysDialog = lazy(() => import('./keys-dialog.tsx').then(module => ({ default: module.KeysDialog })));

type Overlay = 'palette' | 'keys';

/** The keys that work on every page, and what they open. */
export function Shortcuts() {
  const navigate = useNavigate();
  const [overlay, setOverlay] = useState<Overlay>();
  const close = () => setOverlay(undefined);

  function run(shortcut: Shortcut): void {
    if (shortcut === 'new-code') void navigate({ to: '/codes/new', state: { byKey: true } });
    else if (shortcut === 'search' && focusSearch()) return;
    else setOverlay(shortcut === 'keys' ? 'keys' : 'palette');
  }

  useWindowEvent('keydown', (event: KeyboardEvent) => {
    const shortcut = shortcutOf(event, isTyping(event.target));
    if (!shortcut) return;
    event.preventDefault();
    run(shortcut);
  });
  useEffect(() => {
    openers.add(setOverlay);
    return () => {
      openers.delete(setOverlay);
    };
  }, []);

  return (
    <Suspense>
      {overlay === 'palette' && <Palette onClose={close} onKeys={() => setOverlay('keys')} />}
      {overlay === 'keys' && <KeysDialog onClose={close} />}
    </Suspense>
  );
}

const openers = new Set<(overlay: Overlay) => void>();

/** For buttons that open the same. */
export function openOverlay(overlay: Overlay): void {
  for (const open of openers) open(overlay);
}

/** The search of the page, where it has one. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>(
    '#content search input, #content input[type=search]',
  );
  field?.focus();
  field?.select();
  return field !== null;
}
