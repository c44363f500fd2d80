export type Shortcut = 'palette' | 'new-code' | 'search' | 'keys';

type Pressed = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly repeat?: boolean;
  readonly isComposing?: boolean;
};

/** What a key means here. A letter means nothing to us while somebody types it into a field, nor while a dialog is open. */
export function shortcutOf(event: Pressed, isBusy: boolean): Shortcut | undefined {
  if (event.isComposing || event.repeat || event.altKey) return undefined;
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) return key === 'k' ? 'palette' : undefined;
  if (isBusy) return undefined;
  switch (key) {
    case 'c':
      return 'new-code';
    case '/':
      return 'search';
    case '?':
      return 'keys';
    default:
      return undefined;
  }
}

/** Whether keys go into a field, or a dialog is open that they would pass by. */
export const isTyping = (target: EventTarget | null): boolean => isField(target) || isOverlaid();

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.matches('input, textarea, select, [role=textbox], [role=combobox]') || target.isContentEditable);

/** Not asked for a key in a field: the browser would lay out the page for every letter. */
function isOverlaid(): boolean {
  const open = document.querySelectorAll('[role=dialog], [role=menu], [role=listbox]');
  // Lists of closed fields stay in the page, hidden.
  return [...open].some(element => element.checkVisibility());
}
