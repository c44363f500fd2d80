import { createReadStream, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { AppError } from '../kernel/errors.ts';
import { createIds } from '../kernel/ids.ts';
import { type Checking, createChecking, firstTarget, seesAllCodes } from '../lists/checking.ts';
import { type Imported, type ImportProgress, importList } from '../lists/importing.ts';
import type { List } from '../lists/list.ts';
import { findLists, removeDropped, takeOut } from '../lists/store.ts';
import type { Database } from '../platform/postgres.ts';
import { byWebhook } from './announcing.ts';
import { type AdminEngines, withLinks } from './links.ts';
import { inOneLine, inSteps, type Print } from './print.ts';

export const listUsage = `signpost admin import-list FILE|- --name NAME --format hosts|urls|csv:N [--expires 7d] [--allow-empty]
                                         hosts and URLs that no code may lead to, replacing the list's contents;
                                         suspends the codes that do. - reads what is piped in
signpost admin list-lists                each with what is in it, its age, and when it expires
signpost admin remove-list NAME [--release]
                                         codes it suspended stay suspended; --release releases them`;

const commands = ['import-list', 'list-lists', 'remove-list'];

export const isListCommand = (command: string | undefined): boolean => commands.includes(command ?? '');

/** The operator's lists of what no code may lead to. */
export async function runLists(args: readonly string[], engines: AdminEngines, print: Print): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      format: { type: 'string' },
      expires: { type: 'string' },
      'allow-empty': { type: 'boolean', default: false },
      release: { type: 'boolean', default: false },
    },
  });
  const [command, named = ''] = positionals;
  const { db, clock } = engines;
  const check = <Result>(work: (checking: Checking) => Promise<Result>) =>
    withLinks(engines, print, links =>
      work(createChecking({ db, ids: createIds(clock), clock, links, announce: byWebhook })),
    );
  switch (command) {
    case 'import-list': {
      const { name, format, expires } = values;
      if (named === '') throw usage('Say which file, or - for what is piped in.');
      if (!name || !format) throw usage('Give the list a --name, and say its --format.');
      const options = {
        name,
        format,
        expiresAfterMs: expires === undefined ? null : durationFrom(expires),
        allowEmpty: values['allow-empty'],
      };
      const step = inSteps(print);
      const imported = await importList({ db, clock }, open(named), options, progress =>
        step(Math.floor(progress.lines / 100_000), sayProgress(progress)),
      );
      sayImported(name, imported, print);
      return check(checking => checkAll(checking, db, print));
    }
    case 'list-lists': {
      const lists = await findLists(db);
      for (const list of lists) print(sayList(list, clock.now()));
      if (lists.length === 0) print('There are no lists. signpost admin import-list brings one in.');
      return;
    }
    case 'remove-list': {
      if (named === '') throw usage('Say which list: signpost admin list-lists shows them.');
      const was = await takeOut(db, named);
      await removeDropped(db);
      print(was ? `${named} is removed.` : `There is no list ${inOneLine(named)}.`);
      if (!values.release) {
        if (was) print('Codes it suspended stay suspended. --release with the same name releases them.');
        return;
      }
      const released = await check(checking => checking.release(named));
      print(`Codes released: ${number(released)}. Those that were stopped for another reason too stay so.`);
      return;
    }
    default:
      throw usage(`There is no command ${command}.`);
  }
}

/** Opened before anything is written, so that a slip in the name leaves nothing behind. */
function open(file: string): AsyncIterable<string> {
  if (file === '-') return process.stdin.setEncoding('utf8');
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw usage(`${inOneLine(file)} cannot be read: no such file.`);
  return createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1024 });
}

function sayImported(name: string, { lines, hosts, urls, bad, badLines }: Imported, print: Print): void {
  print(`${name} is in force: hosts: ${number(hosts)}, URLs: ${number(urls)}, from ${number(lines)} lines.`);
  if (bad === 0) return;
  print(`Lines that could not be read: ${number(bad)}. The first of them:`);
  for (const { number: at, text } of badLines) print(`  line ${at}: ${inOneLine(text.trim()).slice(0, 100)}`);
}

async function checkAll(checking: Checking, db: Database, print: Print): Promise<void> {
  print('Looking for codes that lead there.');
  const tell = inSteps(print);
  let [looked, suspended] = [0, 0];
  const say = () => `codes suspended: ${number(suspended)}, destinations looked at: ${number(looked)}`;
  for (let after: string | null = firstTarget; after !== null; ) {
    const step = await checking.step(after);
    looked += step.looked;
    suspended += step.suspended;
    after = step.next;
    tell(Math.floor(looked / 100_000), say());
  }
  print(`Done: ${say()}`);
  if (!(await seesAllCodes(db)))
    print(
      'Servers are still writing down where codes from before this version lead. The daily check finds those.',
    );
}

const sayProgress = ({ lines, hosts, urls, bad }: ImportProgress) =>
  `lines: ${number(lines)}, hosts: ${number(hosts)}, URLs: ${number(urls)}, not understood: ${number(bad)}`;

function sayList({ name, format, importedAt, expiresAt, hosts, urls }: List, now: Date): string {
  const until =
    expiresAt === null
      ? 'does not expire'
      : expiresAt > now
        ? `until ${expiresAt.toISOString()}`
        : `expired ${expiresAt.toISOString()}`;
  return `${importedAt.toISOString()}  ${name}  ${format}  hosts: ${number(hosts)}, URLs: ${number(urls)}  ${until}`;
}

const unitMs = { h: 3_600_000, d: 86_400_000 };

function durationFrom(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? [];
  if (count === undefined) throw usage(`${inOneLine(text)} is not a duration. Use 12h or 7d.`);
  return Number(count) * unitMs[unit as 'h' | 'd'];
}

const number = (value: number) => value.toLocaleString('en');

const usage = (reason: string) => new AppError('invalid_request', `${reason}\n\n${listUsage}`);
