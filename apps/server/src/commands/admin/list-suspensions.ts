import { parseArgs } from 'node:util';
import { formatId } from '../../kernel/ids.ts';
import { shortUrlOf } from '../../kernel/link-key.ts';
import { escapeControlCharacters, type Print } from '../../kernel/print.ts';
import { listSuspensions as findSuspensions } from '../../suspensions/store.ts';
import type { Suspension } from '../../suspensions/suspension.ts';
import type { AdminCommand } from './context.ts';

const maxListed = 100;

export const listSuspensions: AdminCommand = async (args, { engines: { db, config }, print }) => {
  const options = { appealed: { type: 'boolean', default: false } } as const;
  const { appealed } = parseArgs({ args: [...args], options }).values;
  const page = { page: 1, limit: maxListed };
  const { items, total } = await findSuspensions(db, page, appealed ? 'appealed' : 'open');
  for (const suspension of items) printSuspension(suspension, config.shortBaseUrl, print);
  if (total === 0) print(appealed ? 'There are no appeals.' : 'Nothing is suspended.');
  if (total > items.length) print(`These are the newest of ${total.toLocaleString('en')}.`);
};

function printSuspension(
  { code, account, cause, source, reason, suspendedAt, appeal }: Suspension,
  shortBaseUrl: string,
  print: Print,
): void {
  const subject = code ? shortUrlOf(shortBaseUrl, code) : formatId('acct', account.id);
  const by = cause === 'operator' ? 'operator' : `${cause} ${source}`;
  print(`${suspendedAt.toISOString()}  ${subject}  ${by}  ${escapeControlCharacters(reason)}`);
  if (appeal) print(`  appeal of ${appeal.at.toISOString()}: ${escapeControlCharacters(appeal.text)}`);
}
