import { hostOf, maxHostLength } from '../kernel/hosts.ts';
import type { Uuid } from '../kernel/ids.ts';
import { listedUrlHash } from '../kernel/listed-url.ts';
import type { Chore } from '../platform/chores.ts';
import type { Database } from '../platform/postgres.ts';
import * as statements from './statements.ts';

/** Where a code leads, in the forms that codes are looked for by: its host, and what lists know its URL by. */
export type Target = { readonly url: string; readonly host: string; readonly urlHash: Buffer };

/** Of a host that is longer than any name in DNS, as 0.1 took them, the end: what can be blocked is in there. */
export const targetOf = (url: string): Target => ({
  url,
  host: hostOf(new URL(url)).slice(-maxHostLength),
  urlHash: listedUrlHash(url),
});

/** Part of the transaction that changes where a code leads. A code from before this table may have no target yet. */
export async function writeTarget(tx: Database, qrCodeId: Uuid, destination: string): Promise<void> {
  await writeTargets(tx, [{ id: qrCodeId, destination_url: destination }]);
}

/** Part of the transaction that deletes codes. Locked in one order, as by everybody who works on many at a time. */
export async function removeTargets(tx: Database, qrCodeIds: readonly Uuid[]): Promise<void> {
  await tx.query(statements.deleteTargets, [qrCodeIds]);
}

/** Codes that get their targets in one transaction. */
const fillBatch = 500;

/**
 * Gives a target to every code from before this table, some at a time, and an hour later once more: while a new version is
 * rolled out, the old one makes, edits and deletes codes and knows of no targets. Where several processes do this, one works.
 */
export const fillsTargets = (db: Database): Chore => ({
  name: 'fill targets of codes',
  everyMs: 60_000,
  run: () => fillSome(db),
});

/** Whether there is more to fill. */
export async function fillSome(db: Database, batch = fillBatch): Promise<boolean> {
  if ((await db.query(statements.anyFill)).length === 0) return false;
  return db.transaction(async tx => {
    const [fill] = await tx.query<{ name: string; after: Uuid }>(statements.lockFill);
    if (!fill) return false;
    const ids = (await tx.query<{ id: Uuid }>(statements.nextToFill, [fill.after, batch])).map(row => row.id);
    if (ids.length === 0) {
      await tx.query(statements.endFill, [fill.name]);
      return false;
    }
    // Locked until the commit: nobody changes or deletes one of these between the reading and the writing.
    const codes = await tx.query<LeadingCode>(statements.lockToFill, [ids]);
    await tx.query(statements.lockTargets, [ids]);
    await writeTargets(tx, codes);
    await tx.query(statements.deleteTargetsOfDeleted, [ids]);
    await tx.query(statements.moveFill, [fill.name, ids.at(-1)]);
    return true;
  });
}

type LeadingCode = { readonly id: Uuid; readonly destination_url: string };

async function writeTargets(tx: Database, codes: readonly LeadingCode[]): Promise<void> {
  const leading = codes.filter(code => URL.canParse(code.destination_url));
  const targets = leading.map(code => targetOf(code.destination_url));
  await tx.query(statements.writeTargets, [
    leading.map(({ id }) => id),
    targets.map(({ url }) => url),
    targets.map(({ host }) => host),
    targets.map(({ urlHash }) => urlHash),
  ]);
}
