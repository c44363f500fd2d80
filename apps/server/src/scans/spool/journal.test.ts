import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { ids, someScan } from '@signpost/testing/scans.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { encodeBatch } from '../log/format/batch.ts';
import { readSpoolContents } from './contents.ts';
import { openSpoolDirectory, type SpoolDirectory } from './directory.ts';
import { createJournal } from './journal.ts';
import { openSpool } from './spool.ts';

let root: string;
let directory: SpoolDirectory;
let errors: unknown[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'journal-'));
  directory = await openSpoolDirectory(root);
  errors = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = (limits: { segmentBytes?: number; maxBytes?: number } = {}) =>
  createJournal({
    directory,
    clock: systemClock,
    maxBytes: 1e6,
    onError: error => errors.push(error),
    ...limits,
  });
const batch = () => encodeBatch({ id: ids.next(), scans: [someScan()] });
const segments = () => readdirSync(directory.path).filter(name => name.endsWith('.spool'));

test('copies that arrive together share a file, which goes when it is full and all of them are discarded', async () => {
  const journal = open({ segmentBytes: 1 });
  const batches = Array.from({ length: 10 }, batch);
  expect(new Set(await Promise.all(batches.map(journal.keep)))).toEqual(new Set(['kept']));
  const full = segments().length;
  expect(full).toBeLessThan(10);
  for (const { id } of batches.slice(1)) journal.discard(id);
  expect(segments().length).toBeGreaterThan(0);
  journal.discard(batches[0]!.id);
  await waitUntil('the files are removed', () => segments().length === 0);
  await journal.close();
  await directory.close();
  expect([readdirSync(root), errors]).toEqual([[], []]);
});

test('a file that is not full goes too, a moment after its last copy was discarded', async () => {
  const journal = open();
  const one = batch();
  await journal.keep(one);
  journal.discard(one.id);
  expect(segments().length).toBe(1);
  await waitUntil('the file is removed', () => segments().length === 0);
  expect(await journal.keep(batch())).toBe('kept');
  expect(errors).toEqual([]);
});

test('what was not discarded is adopted by the next process, without what was in other files', async () => {
  const journal = open({ segmentBytes: 1 });
  const [logged, open_] = [batch(), batch()];
  await journal.keep(logged);
  await journal.keep(open_);
  journal.discard(logged.id);
  await journal.close();
  await directory.close();
  expect(await readSpoolContents(root)).toMatchObject({ batches: 1 });
  const next = await openSpool({ dir: root, maxBytes: 1e6, clock: systemClock });
  const segment = await next.oldest();
  expect((await segment?.read())?.records.map(bytes => Buffer.from(bytes))).toEqual([
    Buffer.from(open_.bytes),
  ]);
  await next.close();
});

test('a journal that is full, or whose disk fails, refuses and goes on later', async () => {
  const one = batch();
  const journal = open({ maxBytes: 1.5 * one.bytes.length });
  expect(await journal.keep(one)).toBe('kept');
  expect(await journal.keep(batch())).toBe('lost');
  const gone = open();
  rmSync(directory.path, { recursive: true });
  expect(await gone.keep(batch())).toBe('lost');
  expect(errors.length).toBe(1);
});
