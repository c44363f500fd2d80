import { codesText } from '../../strings/codes.ts';
import { notifyDone } from '../../ui/problem.tsx';

/** Copies a short link and says whether it did: on plain http a browser has no clipboard to write to. */
export async function copyLink(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
    notifyDone(codesText.copied);
  } catch {
    notifyDone(codesText.copyFailed(url));
  }
}
