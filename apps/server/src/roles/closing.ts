import type { Account } from '../accounts/account.ts';
import type { Accounts } from '../accounts/service.ts';
import { forgetAnswers } from '../http/idempotency.ts';
import { forgetVisitors } from '../ingest/erasure-request.ts';
import { modes } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { formatId, type Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres.ts';
import { createClearing } from '../qrcodes/clearing.ts';
import { countUsed } from '../qrcodes/store.ts';
import { findOwner, removeOwner } from '../users/store.ts';
import { deleteEndpointsOf } from '../webhooks/store.ts';
import { type AdminEngines, withLinks } from './links.ts';
import { inSteps, type Print } from './print.ts';

/** Worth a line: every 1,000 codes deleted. */
const stepCodes = 1000;

/**
 * Closes an account and erases what is known of it and of its owner. Nobody gets in any more before anything is removed, and
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
  const owner = await findOwner(db, account.id);
  if (owner?.isOperator)
    throw new AppError('forbidden', `${name} is the operator's own account, which cannot be closed.`);
  const codes = await countCodes(db, account.id);
  print(`${name}  ${account.name}  (${account.plan})  ${owner?.email ?? 'nobody signs in'}  codes: ${codes}`);
  if (!isSure) {
    print(
      'Closing deletes its codes, scans, keys, webhooks and owner. Printed codes lead nowhere, for ever.',
    );
    print(`Nothing was done. To do it: signpost admin close-account ${name} --yes`);
    return;
  }
  await accounts.close(account.id);
  await removeOwner(db, account.id);
  const endpoints = await deleteEndpointsOf(db, account.id, clock.now());
  const deleted = await withLinks(engines, print, links => {
    const tell = inSteps(print);
    return createClearing({ db, clock, links }).clear(account.id, soFar =>
      tell(Math.floor(soFar / stepCodes), `codes deleted: ${soFar.toLocaleString('en')}`),
    );
  });
  await forgetAnswers(db, account.id);
  await forgetVisitors(db, account.id);
  print(`${name} is closed. Codes deleted: ${deleted.toLocaleString('en')}, webhooks: ${endpoints}.`);
  print('Ingest erases their scans within a minute. Backups keep what they have until they are removed.');
}

async function countCodes(db: Database, accountId: Uuid): Promise<string> {
  const counts = await Promise.all(modes.map(mode => countUsed(db, { accountId, mode }, 'pool')));
  return counts.reduce((sum, count) => sum + count, 0).toLocaleString('en');
}
