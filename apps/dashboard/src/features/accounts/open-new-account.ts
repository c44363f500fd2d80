import { unreachable } from '../../api/api-error.ts';
import { shellText } from '../../strings/shell.ts';
import { notifyProblem } from '../../ui/problem.tsx';

/** Few ever open it, so the dialog is loaded only then; offline this is said, and the page stays. */
export async function openNewAccount(enter: (id: string) => Promise<void>): Promise<void> {
  const dialog = await import('./new-account.tsx').catch(() => null);
  if (dialog) dialog.openNewAccountDialog(enter);
  else notifyProblem(unreachable(), shellText.accounts.notLoaded);
}
