import type { Account } from '../accounts/account.ts';
import type { Accounts } from '../accounts/service.ts';
import { forgetAnswers } from '../http/idempotency.ts';
import { forgetVisitors } from '../ingest/erasure-request.ts';
import { modes } from '../kernel/caller.ts';
import { formatId, type Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres.ts';
import { createClearing } from '../qrcodes/clearing.ts';
import { countUsed } from '../qrcodes/store.ts';
import { writeAccountStop } from '../stops/writing.ts';
import { noteMakers } from '../suspensions/evidence.ts';
import { membersOf } from '../users/members.ts';
import { removeOperatorsOf, requireOtherOperator } from '../users/operators.ts';
import { removeMembers } from '../users/remove-members.ts';
import { deleteEndpointsOf } from '../webhooks/store.ts';
import { type AdminEngines, withLinks } from './links.ts';
import { inOneLine, inSteps, type Print } from './print.ts';

/** Worth a line: every 10,000 codes deleted. */
const stepCodes = 10_000;

/**
 * Closes an account and erases what is known of it and of its people. Nobody gets in any more before anything is removed, and
 * every step can be done again: a run that was cut off is finished by the next.
 */
export async function closeAccount(
  account: Account,
  isSure: boolean,
  accounts: Accounts,
  engines: AdminEngines,
  print: Print,
): Promise<void> {
  const { db, clock } = engines;
  const name = formatId('acct', account.id);
  await requireOtherOperator(db, account.id);
  const people = await membersOf(db, account.id);
  const who = people.map(({ email, isOperator }) => (isOperator ? `${email} (operator)` : email)).join(', ');
  const codes = await countCodes(db, account.id);
  print(
    `${name}  ${inOneLine(account.name)}  (${account.plan})  ${who || 'nobody signs in'}  codes: ${codes}`,
  );
  if (!isSure) {
    print(
      'Closing deletes its codes, scans, keys, webhooks and people. Printed codes lead nowhere, for ever.',
    );
    print(`Nothing was done. To do it: signpost admin close-account ${name} --yes`);
    return;
  }
  await removeOperatorsOf(db, account.id);
  const { deleted, endpoints } = await withLinks(engines, print, async redirects => {
    const startMs = performance.now();
    await accounts.close(account.id, async tx => {
      const changes = await writeAccountStop(tx, account.id, clock.now());
      await tx.afterCommit(() => redirects.tell(changes));
    });
    print(`Its codes are stopped on all redirects (${secondsSince(startMs)} s).`);
    await noteMakers(db, account.id);
    await removeMembers(db, account.id);
    const endpoints = await deleteEndpointsOf(db, account.id, clock.now());
    const tell = inSteps(print);
    const clearing = createClearing({ db, clock, links: redirects });
    const deleted = await clearing.clear(account.id, soFar =>
      tell(Math.floor(soFar / stepCodes), `codes deleted: ${soFar.toLocaleString('en')}`),
    );
    // Each deleted code answers for itself from here on.
    await redirects.tell(await db.transaction(tx => writeAccountStop(tx, account.id, clock.now())));
    return { deleted, endpoints };
  });
  await forgetAnswers(db, account.id);
  await forgetVisitors(db, account.id);
  print(`${name} is closed. Codes deleted: ${deleted.toLocaleString('en')}, webhooks: ${endpoints}.`);
  print('Ingest erases their scans within a minute. Backups keep what they have until they are removed.');
}

const secondsSince = (startMs: number) => ((performance.now() - startMs) / 1000).toFixed(2);

async function countCodes(db: Database, accountId: Uuid): Promise<string> {
  const counts = await Promise.all(modes.map(mode => countUsed(db, { accountId, mode })));
  return counts.reduce((sum, { all }) => sum + all, 0).toLocaleString('en');
}
