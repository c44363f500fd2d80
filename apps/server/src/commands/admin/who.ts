import { maxFoundCodes } from '@signpost/contract';
import { findTargetsOn } from '../../domains/clearing.ts';
import { findDomain } from '../../domains/store.ts';
import { AppError } from '../../kernel/errors.ts';
import { formatId } from '../../kernel/ids.ts';
import { escapeControlCharacters } from '../../kernel/print.ts';
import { findEvidence } from '../../moderation/evidence.ts';
import { parseCodeQuery } from '../../moderation/suspensions/code-query.ts';
import { findAccount, findCodes, listCodes } from '../../moderation/suspensions/operator-view.ts';
import { findOfCode } from '../../moderation/suspensions/store.ts';
import type {
  AccountItem,
  OperatorAccount,
  OperatorCode,
  Suspension,
} from '../../moderation/suspensions/suspension.ts';
import type { AdminCommand, AdminContext } from './context.ts';
import { moderationUsageError, printTargets } from './moderation.ts';

/** How many other codes of an account are printed. */
const maxOtherCodes = 20;

/** Finds whose a reported link is: the code, its account with its people, and the account's other codes. */
export const who: AdminCommand = async ([link = ''], context) => {
  if (link === '')
    throw moderationUsageError('Say what to look for: a short code, a short link or another URL.');
  const { engines, print } = context;
  const codes = await findCodes(engines.db, link, engines.linkNames);
  const domains = await printDomains(link, context);
  if (codes.length === 0 && domains > 0) return;
  if (codes.length === 0)
    throw new AppError('not_found', `No code has the short link ${link}, and none leads there.`);
  const accounts = new Map(codes.map(code => [code.account.id, code.account]));
  const earlier = codes.filter(code => code.targets.shown[0]?.removedAt).length;
  if (codes.length === maxFoundCodes)
    print(`The newest ${maxFoundCodes} codes that lead there; there may be more.`);
  else if (codes.length > 1)
    print(`Codes that lead there: ${codes.length - earlier}, accounts: ${accounts.size}`);
  if (earlier > 0) print(`Codes that led there earlier: ${earlier}`);
  for (const code of codes) await printCode(code, context);
  for (const { id } of accounts.values()) await printAccount(id, context);
};

/** The domain that was asked for, and domains that lead to the page by themselves. Returns how many. */
async function printDomains(link: string, { engines, print }: AdminContext): Promise<number> {
  const query = parseCodeQuery(link, engines.linkNames);
  if (query === null || 'key' in query) return 0;
  const asked = await findDomain(engines.db, query.host);
  if (asked)
    print(
      `${asked.host} is a domain of ${formatId('acct', asked.accountId)}, ${asked.status}, codes ${asked.codes}`,
    );
  const leading = await findTargetsOn(engines.db, query.host, maxFoundCodes);
  for (const { host, accountId, kind, url, clearedAt } of leading) {
    const what = kind === 'root' ? 'without a short code' : 'where a short link does not exist';
    const when = clearedAt ? `led until ${clearedAt.toISOString()}` : 'leads';
    print(`${host} of ${formatId('acct', accountId)} ${when} to ${escapeControlCharacters(url)} ${what}`);
  }
  return leading.length + (asked ? 1 : 0);
}

async function printCode(code: OperatorCode, { engines, print }: AdminContext): Promise<void> {
  const { db, linkNames } = engines;
  print(`${linkNames.toUrl(code)}${code.status === 'deleted' ? '  was deleted' : ''}`);
  printTargets(code, print);
  print(
    `  ${formatId('qr', code.id)}  ${code.mode}, ${code.status}  ${escapeControlCharacters(code.name)}`.trimEnd(),
  );
  const via = code.madeBy === 'api' ? 'with an API key' : 'in the dashboard';
  print(`  created ${code.createdAt.toISOString()} ${via}, last changed ${code.updatedAt.toISOString()}`);
  print(`  scans: ${code.totalScans.toLocaleString('en')}, account: ${formatId('acct', code.account.id)}`);
  for (const suspension of await findOfCode(db, code.id)) print(`  ${describeSuspension(suspension)}`);
  const evidence = code.status === 'deleted' ? await findEvidence(db, code.id) : null;
  if (!evidence) return;
  const { targets: _printedAbove, ...known } = evidence.known;
  print(`  kept when it was deleted: ${escapeControlCharacters(JSON.stringify(known))}`);
}

async function printAccount(id: AccountItem['id'], { engines, print }: AdminContext): Promise<void> {
  const { db, linkNames } = engines;
  const found = await findAccount(db, id);
  if (!found) return;
  const { account, suspension, people, liveCodes, testCodes, suspendedCodes, ownLimits } = found;
  print('');
  print(
    `${formatId('acct', account.id)}  ${escapeControlCharacters(account.name)}  (${account.plan})  ${describeState(account)}`,
  );
  print(`  created ${account.createdAt.toISOString()}`);
  if (suspension) print(`  ${describeSuspension(suspension)}`);
  for (const { name, email, emailVerified, createdAt, role } of people) {
    const confirmed = emailVerified ? 'confirmed' : 'not confirmed';
    print(
      `  ${role}  ${email} (${confirmed})  ${escapeControlCharacters(name)}  since ${createdAt.toISOString()}`,
    );
  }
  if (people.length === 0) print('  no people');
  const counts = `live ${liveCodes.toLocaleString('en')}, test ${testCodes.toLocaleString('en')}`;
  print(`  codes: ${counts}, suspended ${suspendedCodes.toLocaleString('en')}`);
  const limits = describeLimits(ownLimits);
  if (limits !== '') print(`  limits set for this account: ${limits}`);
  const { items, total } = await listCodes(db, id, { page: 1, limit: maxOtherCodes });
  for (const code of items) {
    const state = code.suspended ? 'suspended' : code.status;
    print(`  ${linkNames.toUrl(code)}  ${state}  ${escapeControlCharacters(code.destinationUrl)}`);
  }
  if (total > items.length) print(`  These are the newest of ${total.toLocaleString('en')}.`);
}

function describeLimits({ requestsPerMinute, codes, creationsPerMinute }: OperatorAccount['ownLimits']) {
  const named = {
    'requests per minute': requestsPerMinute,
    codes,
    'creations per minute': creationsPerMinute,
  };
  return Object.entries(named)
    .filter(([, limit]) => limit !== null)
    .map(([name, limit]) => `${name} ${limit!.toLocaleString('en')}`)
    .join(', ');
}

function describeState({ closedAt, suspended, held }: AccountItem): string {
  if (closedAt) return `closed ${closedAt.toISOString()}`;
  if (suspended) return 'suspended';
  return held ? 'waits for a confirmed e-mail address' : 'active';
}

function describeSuspension(suspension: Suspension): string {
  const { cause, source, reason, suspendedAt, releasedAt, deletedAt, appeal } = suspension;
  const by = cause === 'operator' ? 'the operator' : `${cause} ${source}`;
  const end = releasedAt
    ? `, released ${releasedAt.toISOString()}`
    : deletedAt
      ? `, deleted ${deletedAt.toISOString()}`
      : '';
  const appealed = appeal
    ? `; appeal of ${appeal.at.toISOString()}: ${escapeControlCharacters(appeal.text)}`
    : '';
  return `suspended ${suspendedAt.toISOString()} by ${by}${end}: ${escapeControlCharacters(reason)}${appealed}`;
}
