import { hostOf, maxHostLength } from '../kernel/hosts.ts';
import type { Uuid } from '../kernel/ids.ts';
import { listedUrlHash } from '../kernel/listed-url.ts';
import type { Database } from '../platform/postgres.ts';
import * as statements from './target-statements.ts';

/** Where a code leads, in the forms by which codes are searched: its host, and the hash by which lists know its URL. */
export type Target = { readonly url: string; readonly host: string; readonly urlHash: Buffer };

/** A host longer than any DNS name, as 0.1 accepted them, is cut to its end: every domain that can be blocked is in there. */
export const targetOf = (url: string): Target => ({
  url,
  host: hostOf(new URL(url)).slice(-maxHostLength),
  urlHash: listedUrlHash(url),
});

export type LeadingCode = { readonly id: Uuid; readonly destination_url: string };

/** Runs in the transaction that changes where codes lead. */
export async function writeTargets(tx: Database, codes: readonly LeadingCode[]): Promise<void> {
  const leading = codes.filter(code => URL.canParse(code.destination_url));
  const targets = leading.map(code => targetOf(code.destination_url));
  await tx.query(statements.writeTargets, [
    leading.map(({ id }) => id),
    targets.map(({ url }) => url),
    targets.map(({ host }) => host),
    targets.map(({ urlHash }) => urlHash),
  ]);
}

/** Runs in the transaction that deletes codes. Locks in one order, as every statement on many targets does. */
export async function removeTargets(tx: Database, qrCodeIds: readonly Uuid[]): Promise<void> {
  await tx.query(statements.deleteTargets, [qrCodeIds]);
}
