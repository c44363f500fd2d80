/**
 * The account that this tab looks at. Two tabs may look at two of them; a new tab begins with the one that was chosen last.
 * An id opens nothing: the server asks each time whether it is an account of whoever is signed in.
 */
const key = 'signpost-account';

let current: string | undefined = sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? undefined;

/** Undefined until it is known which accounts there are. */
export const currentAccount = (): string | undefined => current;

export function switchAccount(id: string): void {
  current = id;
  sessionStorage.setItem(key, id);
  localStorage.setItem(key, id);
}
