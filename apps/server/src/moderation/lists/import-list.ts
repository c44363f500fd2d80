import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { type Entry, getReader } from './entry.ts';
import { readLines } from './lines.ts';
import { isListName, type List } from './list.ts';
import { noListsMs } from './listed.ts';
import * as store from './store.ts';

export type ImportOptions = {
  readonly name: string;
  /** hosts, urls, or csv:N with the number of a column. */
  readonly format: string;
  /** How long the list is in force; null: until it is replaced. */
  readonly expiresAfterMs: number | null;
  /** Accept a file without entries. */
  readonly allowEmpty: boolean;
};

/** How far an import has come. */
export type ImportProgress = {
  readonly lines: number;
  readonly hosts: number;
  readonly urls: number;
  readonly bad: number;
};

export type ImportResult = ImportProgress & {
  /** The first lines that were not understood, with their numbers. */
  readonly badLines: readonly { readonly number: number; readonly text: string }[];
};

type Parts = { readonly db: Database; readonly clock: Clock };

const entryBatchSize = 5000;
const progressLines = 100_000;
const maxBadLinesShown = 5;

/** Replaces a list with the contents of a file, atomically. When it resolves, every process uses the new list. */
export async function importList(
  { db, clock }: Parts,
  chunks: AsyncIterable<string>,
  { name, format, expiresAfterMs, allowEmpty }: ImportOptions,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportResult> {
  const read = getReader(format);
  if (!read)
    throw invalidOption(`${format} is not a format. Use hosts, urls, or csv:N with the number of a column.`);
  if (!isListName(name))
    throw invalidOption(
      `${name} cannot be the name of a list. Use up to 40 characters of a–z, 0–9, dot, dash and underscore.`,
    );
  const generation = await store.startGeneration(db, name);
  try {
    const imported = await loadAll(db, generation, readLines(chunks), read, onProgress);
    const { hosts, urls } = imported;
    if (hosts + urls === 0 && !allowEmpty) throw noEntries(name, imported);
    await store.analyze(db);
    const importedAt = clock.now();
    const expiresAt = expiresAfterMs === null ? null : new Date(importedAt.getTime() + expiresAfterMs);
    const list: List = { name, format, importedAt, expiresAt, hosts, urls };
    if (!(await store.activateGeneration(db, generation, list))) throw tooSlow();
    // Processes may still assume that there are no lists. Most creates that were in flight finish meanwhile too.
    await sleep(noListsMs);
    return imported;
  } catch (error) {
    await store.dropGeneration(db, generation).catch(() => undefined);
    throw error;
  } finally {
    await store.deleteDroppedGenerations(db).catch(() => undefined);
  }
}

async function loadAll(
  db: Database,
  generation: store.Generation,
  lines: AsyncIterable<string | null>,
  read: (line: string) => readonly Entry[] | null,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportResult> {
  const progress = { lines: 0, hosts: 0, urls: 0, bad: 0 };
  const badLines: { number: number; text: string }[] = [];
  let pending: Entry[] = [];
  let isAnalyzed = false;
  const flush = async () => {
    const added = await store.insertEntries(db, generation, pending);
    if (added === null) throw tooSlow();
    progress.hosts += added.hosts;
    progress.urls += added.urls;
    pending = [];
    // A query plan for empty tables would scan them whole: it must not be used while this loads.
    if (!isAnalyzed) await store.analyze(db);
    isAnalyzed = true;
  };
  for await (const line of lines) {
    progress.lines++;
    const entries = line === null ? null : read(line);
    if (entries === null) {
      progress.bad++;
      if (badLines.length < maxBadLinesShown)
        badLines.push({ number: progress.lines, text: line ?? 'longer than 16 KiB' });
    } else pending.push(...entries);
    if (pending.length >= entryBatchSize) await flush();
    if (progress.lines % progressLines === 0) onProgress({ ...progress });
  }
  await flush();
  return { ...progress, badLines };
}

const noEntries = (name: string, { lines, badLines }: ImportResult) =>
  new AppError(
    'invalid_request',
    [
      `The file has ${lines} lines, and none of them could be read, so ${name} was not changed. Check the file and --format, or add --allow-empty.`,
      ...badLines.map(({ number, text }) => `line ${number}: ${text.slice(0, 100)}`),
    ].join('\n'),
  );

const tooSlow = () =>
  new AppError(
    'invalid_request',
    'The import was cancelled because no line was read for an hour. The list was not changed. Import it again.',
  );

const invalidOption = (reason: string) => new AppError('invalid_request', reason);
