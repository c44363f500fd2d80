import { parseArgs } from 'node:util';
import type { Account } from '../../accounts/account.ts';
import { modes } from '../../kernel/caller.ts';
import { formatId, type Uuid } from '../../kernel/ids.ts';
import { escapeControlCharacters, printSteps } from '../../kernel/print.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { countUsage } from '../../qrcodes/code-counts.ts';
import { createClosingSteps } from '../../roles/account-closing.ts';
import { withLinks } from '../../roles/links.ts';
import { type Departure, listDepartures } from '../../users/members/remove-members.ts';
import { requireId } from './arguments.ts';
import type { AdminCommand, AdminContext } from './context.ts';
import { progressCodes, startTimer } from './moderation.ts';

export const closeAccountUsage = `signpost admin close-account ACCOUNT [--yes]
                                         deletes its codes, scans, keys and webhooks, and people without another account
                                         unless they were invited or are operators; without --yes it only shows what
                                         would be deleted, and who`;

export const closeAccount: AdminCommand = async (args, context) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { yes: { type: 'boolean', default: false } },
  });
  const [id = ''] = positionals;
  const account = await context.accounts.get(requireId('acct', id, closeAccountUsage));
  await describeAccount(account, context);
  if (values.yes) return close(account, context);
  context.print(
    'Closing it deletes its codes, scans, keys and webhooks, and everybody leaves it. Printed codes stop working and cannot be restored.',
  );
  context.print(
    `Nothing was done. To do it: signpost admin close-account ${formatId('acct', account.id)} --yes`,
  );
};

async function describeAccount(account: Account, { engines: { db }, print }: AdminContext): Promise<void> {
  const people = await listDepartures(db, account.id);
  const codes = await countCodes(db, account.id);
  print(
    `${formatId('acct', account.id)}  ${escapeControlCharacters(account.name)}  (${account.plan})  codes: ${codes}`,
  );
  for (const person of people)
    print(`  ${person.role.padEnd(6)}  ${person.email}  ${describeDeparture(person)}`);
  if (people.length === 0) print('  no people');
}

/** What the end of the account means to a person. */
function describeDeparture({ isOperator, hasOtherAccount, invited }: Departure): string {
  if (hasOtherAccount) return 'keeps the sign-in and other accounts';
  if (isOperator) return 'keeps the sign-in as an operator';
  return invited ? 'keeps the sign-in for 30 days' : 'is deleted';
}

async function close(account: Account, { accounts, engines, print }: AdminContext): Promise<void> {
  const { db, clock } = engines;
  const { codes, endpoints } = await withLinks(engines, print, async redirects => {
    const { endAccess, erase } = createClosingSteps({ db, clock, accounts, redirects });
    const elapsed = startTimer();
    await endAccess(account.id);
    print(`Its codes are stopped on all redirects (${elapsed()}).`);
    const progress = printSteps(print);
    return await erase(account.id, soFar =>
      progress(Math.floor(soFar / progressCodes), `codes deleted: ${soFar.toLocaleString('en')}`),
    );
  });
  const id = formatId('acct', account.id);
  print(`${id} is closed. Codes deleted: ${codes.toLocaleString('en')}, webhooks: ${endpoints}.`);
  print('Ingest erases their scans within a minute. Backups keep them until the backups are removed.');
}

async function countCodes(db: Database, accountId: Uuid): Promise<string> {
  const counts = await Promise.all(modes.map(mode => countUsage(db, { accountId, mode })));
  return counts.reduce((sum, { all }) => sum + all, 0).toLocaleString('en');
}
