import { createReadStream, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createIds } from '../../kernel/ids.ts';
import { escapeControlCharacters, type Print, printSteps } from '../../kernel/print.ts';
import { type ImportProgress, type ImportResult, importList } from '../../moderation/lists/import-list.ts';
import type { List } from '../../moderation/lists/list.ts';
import { createListCheck, firstTarget, type ListCheck } from '../../moderation/lists/list-check.ts';
import { deleteDroppedGenerations, deleteList, findLists } from '../../moderation/lists/store.ts';
import { withLinks } from '../../roles/links.ts';
import { publishByWebhook } from '../../roles/suspension-webhooks.ts';
import { usageError } from './arguments.ts';
import type { AdminCommand, AdminContext } from './context.ts';

export const listUsage = `signpost admin import-list FILE|- --name NAME --format hosts|urls|csv:N [--expires 7d] [--allow-empty]
                                         hosts and URLs that no code may lead to, replacing the list's contents;
                                         suspends the codes that do. - reads standard input
signpost admin list-lists                each with its size, its age, and when it expires
signpost admin remove-list NAME [--release]
                                         codes it suspended stay suspended; --release releases them`;

export const importBlockList: AdminCommand = async (args, context) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      format: { type: 'string' },
      expires: { type: 'string' },
      'allow-empty': { type: 'boolean', default: false },
    },
  });
  const [file = ''] = positionals;
  const { name, format: fileFormat, expires, 'allow-empty': allowEmpty } = values;
  if (file === '') throw usageError('Name the file, or - for standard input.', listUsage);
  if (!name || !fileFormat) throw usageError('Give the list a --name, and say its --format.', listUsage);
  const { engines, print } = context;
  const expiresAfterMs = expires === undefined ? null : parseDuration(expires);
  const progress = printSteps(print);
  const result = await importList(
    engines,
    openFile(file),
    { name, format: fileFormat, expiresAfterMs, allowEmpty },
    soFar => progress(Math.floor(soFar.lines / 100_000), describeProgress(soFar)),
  );
  printResult(name, result, print);
  await withListCheck(context, check => checkAllTargets(check, print));
};

export const listBlockLists: AdminCommand = async (_args, { engines: { db, clock }, print }) => {
  const lists = await findLists(db);
  for (const list of lists) print(describeList(list, clock.now()));
  if (lists.length === 0) print('There are no lists. signpost admin import-list imports one.');
};

export const removeBlockList: AdminCommand = async (args, context) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { release: { type: 'boolean', default: false } },
  });
  const [name = ''] = positionals;
  if (name === '') throw usageError('Name the list: signpost admin list-lists shows them.', listUsage);
  const { engines, print } = context;
  const existed = await deleteList(engines.db, name);
  await deleteDroppedGenerations(engines.db);
  print(existed ? `${name} is removed.` : `There is no list ${escapeControlCharacters(name)}.`);
  if (!values.release) {
    if (existed) print('Codes it suspended stay suspended. Run this again with --release to release them.');
    return;
  }
  const released = await withListCheck(context, check => check.release(name));
  print(`Codes released: ${format(released)}. Codes that are suspended for another reason stay suspended.`);
};

function withListCheck<Result>(
  { engines, print }: AdminContext,
  work: (check: ListCheck) => Promise<Result>,
): Promise<Result> {
  const { db, clock } = engines;
  return withLinks(engines, print, links =>
    work(createListCheck({ db, ids: createIds(clock), clock, links, publisher: publishByWebhook })),
  );
}

/** Fails before anything is written, so that a mistyped name leaves nothing behind. */
function openFile(file: string): AsyncIterable<string> {
  if (file === '-') return process.stdin.setEncoding('utf8');
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw usageError(`${escapeControlCharacters(file)} cannot be read: no such file.`, listUsage);
  return createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1024 });
}

function printResult(name: string, { lines, hosts, urls, bad, badLines }: ImportResult, print: Print): void {
  print(`${name} is in force: hosts: ${format(hosts)}, URLs: ${format(urls)}, from ${format(lines)} lines.`);
  if (bad === 0) return;
  print(`Lines that could not be read: ${format(bad)}. The first of them:`);
  for (const { number, text } of badLines)
    print(`  line ${number}: ${escapeControlCharacters(text.trim()).slice(0, 100)}`);
}

async function checkAllTargets(check: ListCheck, print: Print): Promise<void> {
  print('Looking for codes that lead to a listed destination.');
  const progress = printSteps(print);
  let [checked, suspended] = [0, 0];
  const describe = () => `codes suspended: ${format(suspended)}, destinations checked: ${format(checked)}`;
  for (let after: string | null = firstTarget; after !== null; ) {
    const step = await check.step(after);
    checked += step.checked;
    suspended += step.suspended;
    after = step.next;
    progress(Math.floor(checked / 100_000), describe());
  }
  print(`Done: ${describe()}`);
}

const describeProgress = ({ lines, hosts, urls, bad }: ImportProgress) =>
  `lines: ${format(lines)}, hosts: ${format(hosts)}, URLs: ${format(urls)}, not understood: ${format(bad)}`;

function describeList(list: List, now: Date): string {
  const { name, format: fileFormat, importedAt, expiresAt, hosts, urls } = list;
  const expiry =
    expiresAt === null
      ? 'does not expire'
      : expiresAt > now
        ? `until ${expiresAt.toISOString()}`
        : `expired ${expiresAt.toISOString()}`;
  return `${importedAt.toISOString()}  ${name}  ${fileFormat}  hosts: ${format(hosts)}, URLs: ${format(urls)}  ${expiry}`;
}

const unitMs = { h: 3_600_000, d: 86_400_000 };

function parseDuration(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? [];
  if (count === undefined)
    throw usageError(`${escapeControlCharacters(text)} is not a duration. Use 12h or 7d.`, listUsage);
  return Number(count) * unitMs[unit as keyof typeof unitMs];
}

const format = (value: number) => value.toLocaleString('en');
