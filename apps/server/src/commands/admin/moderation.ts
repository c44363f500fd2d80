import { maxReasonLength } from '@signpost/contract';
import { createKeyInvalidator } from '../../accounts/key-cache.ts';
import { findLink } from '../../domains/link.ts';
import { createIds } from '../../kernel/ids.ts';
import { escapeControlCharacters, type Print } from '../../kernel/print.ts';
import { createHostSuspensions } from '../../moderation/suspensions/host-suspensions.ts';
import { createSuspensions, type Suspensions } from '../../moderation/suspensions/service.ts';
import { type CodeTargets, describeTarget } from '../../moderation/targets.ts';
import { createModeration, type Moderation } from '../../qrcodes/moderation.ts';
import { tokenEnder, withLinks } from '../../roles/links.ts';
import { publishByWebhook } from '../../roles/suspension-webhooks.ts';
import { usageError } from './arguments.ts';
import type { AdminContext } from './context.ts';

export const moderationUsage = `signpost admin who SHORT_CODE|URL         who owns a code, every URL it leads to or led to, and the account's people and other
                                         codes; for the address of a page, the codes that lead or led to its host
signpost admin suspend-code SHORT_CODE|SHORT_LINK --reason TEXT
                                         stops one code of any account, a test code as t/TAG/SHORT_CODE; its owner sees
                                         the reason and cannot lift it
signpost admin suspend-account ACCOUNT --reason TEXT
                                         the same for an account with all its codes
signpost admin release-code SHORT_CODE|SHORT_LINK
signpost admin release-account ACCOUNT
signpost admin list-suspensions [--appealed]
                                         what is suspended; with --appealed only what an owner has appealed against
signpost admin block-host HOST [--reason TEXT]
                                         no code may lead to the host or its subdomains; suspends the codes that do
signpost admin unblock-host HOST         releases the codes that were suspended because of it
signpost admin list-blocked-hosts        each with the time and the reason
signpost admin pause-code SHORT_CODE|SHORT_LINK
                                         pauses one code of any account; its owner can set it active again`;

type Tools = { readonly moderation: Moderation; readonly suspensions: Suspensions };

/** Runs work whose changes reach every redirect before it returns. */
export function withModeration<Result>(
  { engines, print }: AdminContext,
  work: (tools: Tools) => Promise<Result>,
): Promise<Result> {
  const { db, clock } = engines;
  const ids = createIds(clock);
  const { invalidate: invalidateKeys } = createKeyInvalidator(tokenEnder(engines));
  return withLinks(engines, print, redirects => {
    const suspender = createHostSuspensions({ db, clock, redirects, publisher: publishByWebhook });
    return work({
      moderation: createModeration({ db, ids, clock, redirects, suspender }),
      suspensions: createSuspensions({ ids, clock, redirects, invalidateKeys, publisher: publishByWebhook }),
    });
  });
}

/** Prints a line whenever this many more codes are done. */
export const progressCodes = 10_000;

/** Accepts a short code or a whole short link: reports have either. `shown` is what people know it by. */
export async function requireCode(
  text: string,
  { db, linkNames }: Pick<AdminContext['engines'], 'db' | 'linkNames'>,
): Promise<{ readonly name: string; readonly shown: string }> {
  if (text === '') throw moderationUsageError('Name the code by its short code or its short link.');
  const link = await findLink(db, linkNames, text.trim());
  if (link) return { name: link.key, shown: link.base === linkNames.base ? link.key : link.url };
  throw moderationUsageError(
    `${text} is not a short link of this service. Short links begin with ${linkNames.base}/ or a domain that list-domains shows.`,
  );
}

export function requireReason(reason: string | undefined): string {
  const text = reason?.trim() ?? '';
  if (text === '') throw moderationUsageError('Give a reason that the owner will read: --reason "Phishing".');
  if (text.length > maxReasonLength)
    throw moderationUsageError(`--reason can have at most ${maxReasonLength} characters.`);
  return text;
}

/** Prints every URL that a code leads to, or led to earlier. */
export function printTargets(code: { readonly targets: CodeTargets }, print: Print): void {
  const { shown, more } = code.targets;
  for (const target of shown) {
    const leads = target.removedAt ? 'led to' : 'leads to';
    print(`  ${leads} ${escapeControlCharacters(describeTarget(target))}`);
  }
  if (more > 0) print(`  and to ${more.toLocaleString('en')} more: signpost admin who SHORT_CODE`);
}

export const moderationUsageError = (reason: string) => usageError(reason, moderationUsage);

/** Measures from now on, in seconds as people read them. */
export function startTimer(): () => string {
  const startMs = performance.now();
  return () => `${((performance.now() - startMs) / 1000).toFixed(2)} s`;
}
