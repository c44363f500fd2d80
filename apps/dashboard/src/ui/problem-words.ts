import { ApiError } from '../api/api-error.ts';
import { commonText } from '../strings/common.ts';
import { adviceFor } from './advice.ts';
import { MissingPage } from './lazy-page.tsx';

const words = commonText.problem;

/** What kept the request from being done; undefined where the server refused it for a reason of its own. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return words.unexpected;
  if (error.code === 'offline') return words.offlineSentence;
  if (error.status === 0) return words.unreachable;
  if (error.code === 'unavailable' || error.status === 503) return words.unavailable;
  if (error.code === 'timeout' || error.status === 504) return words.timeout;
  return error.status >= 500 ? words.fault : undefined;
}

/** Whether the same request may work later. A refusal stays one. */
export const isFault = (error: unknown): boolean => faultOf(error) !== undefined;

/** The whole of it, for a page that could not be loaded. */
export function sentenceOf(error: unknown): string {
  if (error instanceof MissingPage) return navigator.onLine ? words.chunk : words.offlineSentence;
  if (error instanceof ApiError && (error.code === 'unavailable' || error.status === 503))
    return words.unavailableSentence;
  const message = error instanceof ApiError ? error.message : words.unexpected;
  return [message, adviceFor(error)].filter(Boolean).join(' ');
}

/** Title and text of a toast: a fault says what it is at once, a refusal is the server's own sentence. */
export function toastOf(
  error: unknown,
  title: string,
  isKept: boolean,
): { readonly title: string; readonly text: string } {
  const fault = faultOf(error);
  if (fault) return { title, text: isKept ? [fault, words.kept].join(' ') : fault };
  const message = error instanceof Error ? error.message : '';
  return { title, text: [message, adviceFor(error)].filter(Boolean).join(' ') };
}
