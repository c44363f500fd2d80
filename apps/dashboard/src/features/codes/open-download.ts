import { unreachable } from '../../api/api-error.ts';
import { codesText } from '../../strings/codes.ts';
import { notifyProblem } from '../../ui/problem.tsx';
import type { CodeFacts } from './code-facts.ts';

/** Opens the download dialog, of a code or of one of its placements. It is loaded only then; offline this is said, and the page stays. */
export async function openDownload(code: CodeFacts, placement = ''): Promise<void> {
  const dialog = await import('./download-dialog.tsx').catch(() => null);
  if (dialog) dialog.openDownloadDialog(code, placement);
  else notifyProblem(unreachable(), codesText.downloadNotLoaded);
}
