import { modals } from '@mantine/modals';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { commonText } from '../strings/common.ts';

const words = commonText.unsaved;

/** The forms of this page that hold something unsaved. */
const unsaved = new Set<object>();

/** The browser's own question before the tab is closed or loaded again. */
export function useLeaveWarning(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isActive]);
}

/**
 * Asks before what was typed is lost: on the way to another page, to the other mode, and out of the tab. Call what it returns
 * once the work is saved and the form is left by itself.
 */
export function useUnsavedWork(isDirty: boolean): () => void {
  const form = useRef({});
  useEffect(() => {
    const own = form.current;
    if (isDirty) unsaved.add(own);
    else unsaved.delete(own);
    return () => {
      unsaved.delete(own);
    };
  }, [isDirty]);
  useLeaveWarning(isDirty);
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      unsaved.has(form.current) && current.pathname !== next.pathname && !(await mayLeave()),
    enableBeforeUnload: false,
    disabled: !isDirty,
  });
  return () => unsaved.delete(form.current);
}

/** For a person who cannot save it: the way out of the page asks nothing more. */
export function leaveUnsaved(): void {
  unsaved.clear();
  window.addEventListener('beforeunload', event => event.stopImmediatePropagation(), { capture: true });
}

/** Whether what is unsaved may be lost; asks only where something is. After a yes, nobody is asked again. */
export async function mayLeave(): Promise<boolean> {
  if (unsaved.size === 0) return true;
  const leaves = await new Promise<boolean>(settle =>
    modals.openConfirmModal({
      title: words.title,
      children: words.text,
      labels: { confirm: words.leave, cancel: words.stay },
      confirmProps: { color: 'red.8' },
      onConfirm: () => settle(true),
      // Also after Escape and the cross; after a yes it changes nothing.
      onClose: () => settle(false),
      onCancel: () => settle(false),
    }),
  );
  if (leaves) unsaved.clear();
  return leaves;
}
