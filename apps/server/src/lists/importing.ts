import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Database } from '../platform/postgres.ts';
import { type Entry, readerOf } from './entry.ts';
import { linesOf } from './lines.ts';
import { isListName, type List } from './list.ts';
import { noListsMs } from './listed.ts';
import * as store from './store.ts';

export type ImportOptions = {
  readonly name: string;
  /** hosts, urls, or csv:N with the number of a column. */
  readonly format: string;
  /** How long the list counts; null: until it is replaced. */
  readonly expiresAfterMs: number | null;
  /** Take a file without a single entry for what it says. */
  readonly allowEmpty: boolean;
};

/** How far an import is. */
export type ImportProgress = {
  readonly lines: number;
  readonly hosts: number;
  readonly urls: number;
  readonly bad: number;
};

export type Imported = ImportProgress & {
  /** The first lines that were not understood, with their numbers. */
  readonly badLines: readonly { readonly number: number; readonly text: string }[];
};

type Parts = { readonly db: Database; readonly clock: Clock };

const entriesAtATime = 5000;
const linesAStep = 100_000;
const badLinesShown = 5;

/** Replaces a list by what is in a file, all of it in one moment. When it resolves, every process goes by the new one. */
export async function importList(
  { db, clock }: Parts,
  chunks: AsyncIterable<string>,
  { name, format, expiresAfterMs, allowEmpty }: ImportOptions,
  onProgress: (progress: ImportProgress) => void,
): Promise<Imported> {
  const read = readerOf(format);
  if (!read)
    throw refused(`${format} is not a format. Use hosts, urls, or csv:N with the number of a column.`);
  if (!isListName(name))
    throw refused(
      `${name} cannot be the name of a list. Use up to 40 of a–z, 0–9, dot, dash and underscore.`,
    );
  const generation = await store.startGeneration(db, name);
  try {
    const imported = await loadAll(db, generation, linesOf(chunks), read, onProgress);
    const { hosts, urls } = imported;
    if (hosts + urls === 0 && !allowEmpty) throw noEntries(name, imported);
    await store.analyze(db);
    const importedAt = clock.now();
    const expiresAt = expiresAfterMs === null ? null : new Date(importedAt.getTime() + expiresAfterMs);
    const list: List = { name, format, importedAt, expiresAt, hosts, urls };
    if (!(await store.switchTo(db, generation, list))) throw tooSlow();
    // Some may still go by there being no lists. Creates that were under way are mostly done by then too.
    await pause(noListsMs);
    return imported;
  } catch (error) {
    await store.giveUp(db, generation).catch(() => undefined);
    throw error;
  } finally {
    await store.removeDropped(db).catch(() => undefined);
  }
}

async function loadAll(
  db: Database,
  generation: store.Generation,
  lines: AsyncIterable<string | null>,
  read: (line: string) => readonly Entry[] | null,
  onProgress: (progress: ImportProgress) => void,
): Promise<Imported> {
  const progress = { lines: 0, hosts: 0, urls: 0, bad: 0 };
  const badLines: { number: number; text: string }[] = [];
  let waiting: Entry[] = [];
  let analyzed = false;
  const flush = async () => {
    const added = await store.load(db, generation, waiting);
    if (added === null) throw tooSlow();
    progress.hosts += added.hosts;
    progress.urls += added.urls;
    waiting = [];
    // Plans from when the tables were empty read all of them: they must not be used while this loads.
    if (!analyzed) await store.analyze(db);
    analyzed = true;
  };
  for await (const line of lines) {
    progress.lines++;
    const entries = line === null ? null : read(line);
    if (entries === null) {
      progress.bad++;
      if (badLines.length < badLinesShown)
        badLines.push({ number: progress.lines, text: line ?? 'longer than 16 KiB' });
    } else waiting.push(...entries);
    if (waiting.length >= entriesAtATime) await flush();
    if (progress.lines % linesAStep === 0) onProgress({ ...progress });
  }
  await flush();
  return { ...progress, badLines };
}

const noEntries = (name: string, { lines, badLines }: Imported) =>
  new AppError(
    'invalid_request',
    [
      `The file has ${lines} lines and not one that could be read, so ${name} stays as it was. Look at the file and at --format, or say --allow-empty.`,
      ...badLines.map(({ number, text }) => `line ${number}: ${text.slice(0, 100)}`),
    ].join('\n'),
  );

const tooSlow = () =>
  new AppError(
    'invalid_request',
    'Nothing came out of the file for an hour, so the import was given up and the list stays as it was. Import it again.',
  );

const refused = (reason: string) => new AppError('invalid_request', reason);
