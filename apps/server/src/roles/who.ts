import { AppError } from '../kernel/errors.ts';
import { formatId } from '../kernel/ids.ts';
import { shortUrlOf } from '../kernel/link-key.ts';
import type { Database } from '../platform/postgres.ts';
import { findEvidence } from '../suspensions/evidence.ts';
import { findAccount, findCodes, listCodes, mostFound } from '../suspensions/operator-view.ts';
import { findOfCode } from '../suspensions/store.ts';
import type { AccountItem, OperatorCode, Suspension } from '../suspensions/suspension.ts';
import { inOneLine, type Print } from './print.ts';

/** Other codes of an account that are shown. */
const shown = 20;

/** From what a report names to whose it is: the code, its account with its people, and what else the account has. */
export async function printWho(
  db: Database,
  link: string,
  shortBaseUrl: string,
  print: Print,
): Promise<void> {
  const found = await findCodes(db, link, shortBaseUrl);
  if (found.length === 0)
    throw new AppError('not_found', `Nothing is known of ${link}: no code has it, and none leads there.`);
  const accounts = new Map(found.map(code => [code.account.id, code.account]));
  if (found.length === mostFound) print(`The newest ${mostFound} codes that lead there; there may be more.`);
  else if (found.length > 1) print(`Codes that lead there: ${found.length}, accounts: ${accounts.size}`);
  for (const code of found) await printCode(db, code, shortBaseUrl, print);
  for (const { id } of accounts.values()) await printAccount(db, id, shortBaseUrl, print);
}

async function printCode(
  db: Database,
  code: OperatorCode,
  shortBaseUrl: string,
  print: Print,
): Promise<void> {
  const leads = code.status === 'deleted' ? 'was deleted' : `leads to ${inOneLine(code.destinationUrl)}`;
  print(`${shortUrlOf(shortBaseUrl, code)}  ${leads}`);
  print(`  ${formatId('qr', code.id)}  ${code.mode}, ${code.status}  ${inOneLine(code.name)}`.trimEnd());
  const how = code.madeBy === 'api' ? 'by a key of the API' : 'in the dashboard';
  print(`  made ${code.createdAt.toISOString()} ${how}, last changed ${code.updatedAt.toISOString()}`);
  print(`  scans: ${code.totalScans.toLocaleString('en')}, account: ${formatId('acct', code.account.id)}`);
  for (const suspension of await findOfCode(db, code.id)) print(`  ${sayOf(suspension)}`);
  const evidence = code.status === 'deleted' ? await findEvidence(db, code.id) : null;
  if (evidence) print(`  known of it when it was deleted: ${inOneLine(JSON.stringify(evidence.known))}`);
}

async function printAccount(
  db: Database,
  id: AccountItem['id'],
  shortBaseUrl: string,
  print: Print,
): Promise<void> {
  const found = await findAccount(db, id);
  if (!found) return;
  const { account, suspension, people, liveCodes, testCodes, suspendedCodes } = found;
  print('');
  print(
    `${formatId('acct', account.id)}  ${inOneLine(account.name)}  (${account.plan})  ${stateOf(account)}`,
  );
  print(`  made ${account.createdAt.toISOString()}`);
  if (suspension) print(`  ${sayOf(suspension)}`);
  for (const { name, email, emailVerified, createdAt } of people) {
    const confirmed = emailVerified ? 'confirmed' : 'not confirmed';
    print(`  ${email} (${confirmed})  ${inOneLine(name)}  since ${createdAt.toISOString()}`);
  }
  if (people.length === 0) print('  nobody signs in');
  const counts = `live ${liveCodes.toLocaleString('en')}, test ${testCodes.toLocaleString('en')}`;
  print(`  codes: ${counts}, suspended ${suspendedCodes.toLocaleString('en')}`);
  const { items, total } = await listCodes(db, id, { page: 1, limit: shown });
  for (const code of items) {
    const state = code.suspended ? 'suspended' : code.status;
    print(`  ${shortUrlOf(shortBaseUrl, code)}  ${state}  ${inOneLine(code.destinationUrl)}`);
  }
  if (total > items.length) print(`  These are the newest of ${total.toLocaleString('en')}.`);
}

function stateOf({ closedAt, suspended, held }: AccountItem): string {
  if (closedAt) return `closed ${closedAt.toISOString()}`;
  if (suspended) return 'suspended';
  return held ? 'waits for a confirmed e-mail address' : 'good';
}

function sayOf({ cause, source, reason, suspendedAt, releasedAt, deletedAt, appeal }: Suspension): string {
  const by = cause === 'operator' ? 'the operator' : `${cause} ${source}`;
  const end = releasedAt
    ? `, released ${releasedAt.toISOString()}`
    : deletedAt
      ? `, deleted ${deletedAt.toISOString()}`
      : '';
  const said = appeal ? `; appeal of ${appeal.at.toISOString()}: ${inOneLine(appeal.text)}` : '';
  return `suspended ${suspendedAt.toISOString()} by ${by}${end}: ${inOneLine(reason)}${said}`;
}
