import { unreachable } from '../../api/api-error.ts';
import { shareText } from '../../strings/share.ts';
import { notifyProblem } from '../../ui/problem.tsx';
import type { ShareSubject } from './subject.ts';

/** Opens the dialog of share links. It is loaded only then; offline this is said, and the page stays. */
export async function openShare(subject: ShareSubject): Promise<void> {
  const dialog = await import('./share-dialog.tsx').catch(() => null);
  if (dialog) dialog.openShareDialog(subject);
  else notifyProblem(unreachable(), shareText.notLoaded);
}
