import type { Problem } from '@signpost/contract';
import { fill } from '../strings/fill.ts';
import { language } from '../strings/language.ts';

/** Translations by the code of an error, by `problem:` and the code of a problem, or by the message itself. */
export type Words = Readonly<Record<string, string | undefined>>;

/** Loaded with the first refusal, and not with the dashboard; without them the server's own words are shown. */
export async function loadWords(): Promise<Words> {
  if (language === 'en') return {};
  return await import('../strings/server-messages.ts').then(
    ({ serverMessages }) => serverMessages,
    () => ({}),
  );
}

type Said = { readonly code: string; readonly message: string; readonly problem?: Problem };

/** What the server says, in the language of this dashboard as far as that has words for it. */
export function inOwnWords({ code, message, problem }: Said, words: Words): string {
  const exact = problem && words[`problem:${problem.code}`];
  return sentence(message, words) ?? (exact ? fill(exact, problem.values) : (words[code] ?? message));
}

const places = /\\\{(\w+)\\\}/g;

/** A message that is translated word for word; what stands between braces in the English one is its values. */
function sentence(message: string, words: Words): string | undefined {
  if (words[message] !== undefined) return words[message];
  for (const [english, other = ''] of Object.entries(words)) {
    if (!english.includes('{')) continue;
    const pattern = english.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(places, '(?<$1>.+)');
    const found = new RegExp(`^${pattern}$`, 's').exec(message);
    if (found) return fill(other, found.groups ?? {});
  }
  return undefined;
}
