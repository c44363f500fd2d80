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
export function isTyping(target: EventTarget | null): boolean {
  const open = document.querySelectorAll('[role=dialog], [role=menu], [role=listbox]');
  // Lists of closed fields stay in the page, hidden.
  if ([...open].some(element => element.checkVisibility())) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role=textbox], [role=combobox]'))
  );
}
