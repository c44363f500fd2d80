import { unreachable } from '../../api/api-error.ts';
import { codesText } from '../../strings/codes.ts';
import { notifyProblem } from '../../ui/problem.tsx';
import type { CodeFacts } from './code-facts.ts';

/** Opens the download dialog, which is loaded only then; offline this is said, and the page stays. */
export async function openDownload(code: CodeFacts): Promise<void> {
  const dialog = await import('./download-dialog.tsx').catch(() => null);
  if (dialog) dialog.openDownloadDialog(code);
  else notifyProblem(unreachable(), codesText.download.notLoaded);
}
