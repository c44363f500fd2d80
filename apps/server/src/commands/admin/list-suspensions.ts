import { parseArgs } from 'node:util';
import type { LinkNames } from '../../kernel/addresses/link-names.ts';
import { formatId } from '../../kernel/ids.ts';
import { escapeControlCharacters, type Print } from '../../kernel/print.ts';
import { listSuspensions as findSuspensions } from '../../moderation/suspensions/store.ts';
import type { Suspension } from '../../moderation/suspensions/suspension.ts';
import type { AdminCommand } from './context.ts';

const maxListed = 100;

export const listSuspensions: AdminCommand = async (args, { engines: { db, linkNames }, print }) => {
  const options = { appealed: { type: 'boolean', default: false } } as const;
  const { appealed } = parseArgs({ args: [...args], options }).values;
  const page = { page: 1, limit: maxListed };
  const { items, total } = await findSuspensions(db, page, appealed ? 'appealed' : 'open');
  for (const suspension of items) printSuspension(suspension, linkNames, print);
  if (total === 0) print(appealed ? 'There are no appeals.' : 'Nothing is suspended.');
  if (total > items.length) print(`These are the newest of ${total.toLocaleString('en')}.`);
};

function printSuspension(
  { code, account, cause, source, reason, suspendedAt, appeal }: Suspension,
  linkNames: LinkNames,
  print: Print,
): void {
  const subject = code ? linkNames.toUrl(code) : formatId('acct', account.id);
  const by = cause === 'operator' ? 'operator' : `${cause} ${source}`;
  print(`${suspendedAt.toISOString()}  ${subject}  ${by}  ${escapeControlCharacters(reason)}`);
  if (appeal) print(`  appeal of ${appeal.at.toISOString()}: ${escapeControlCharacters(appeal.text)}`);
}
