import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeOutdated, takeInto } from './series.ts';

/** A directory with backups of these names; one that ends in `?` is unfinished. */
function directoryWith(...names: readonly string[]): string {
  const into = mkdtempSync(join(tmpdir(), 'signpost-series-'));
  for (const name of names) {
    const dir = join(into, name.replace('?', ''));
    mkdirSync(dir);
    writeFileSync(join(dir, 'postgres.dump'), 'rows');
    if (!name.endsWith('?')) writeFileSync(join(dir, 'manifest.json'), '{}');
  }
  return into;
}

const day = (n: number) => `202611${String(n).padStart(2, '0')}T031500Z`;
const moment = new Date('2026-11-05T03:15:00.007Z');

test('a backup of a series has a directory named after its time, readable by its owner alone', async () => {
  const into = directoryWith();
  const dir = await takeInto(into, moment, async made => made);
  expect(dir).toBe(join(into, day(5)));
  expect(statSync(dir).mode & 0o777).toBe(0o700);
});

test('a failed backup leaves nothing, and an existing one stays untouched', async () => {
  const into = directoryWith(day(1));
  const fail = async (dir: string) => {
    writeFileSync(join(dir, 'postgres.dump'), 'half');
    throw new Error('The disk is full.');
  };
  await expect(takeInto(into, moment, fail)).rejects.toThrow('The disk is full.');
  expect(readdirSync(into)).toEqual([day(1)]);
  await expect(takeInto(into, new Date('2026-11-01T03:15:00Z'), fail)).rejects.toThrow('EEXIST');
  expect(readdirSync(join(into, day(1))).toSorted()).toEqual(['manifest.json', 'postgres.dump']);
});

test('if the directory cannot be created, the error says who must own its parent', async () => {
  const file = join(directoryWith(day(1)), day(1), 'manifest.json');
  await expect(takeInto(file, moment, async () => {})).rejects.toThrow(/belong to user \d+/);
});

test('the newest complete backups stay, and older ones are removed', async () => {
  const into = directoryWith(day(3), day(1), day(2), day(4));
  expect(await removeOutdated(into, 2)).toEqual([day(1), day(2)]);
  expect(readdirSync(into).toSorted()).toEqual([day(3), day(4)]);
});

test('nothing is removed while there are no more than the number to keep', async () => {
  const into = directoryWith(`${day(1)}?`, day(2), day(3));
  expect(await removeOutdated(into, 3)).toEqual([]);
  expect(await removeOutdated(directoryWith(), 1)).toEqual([]);
});

test('an unfinished backup does not count as one to keep, and is removed with those of its age', async () => {
  const into = directoryWith(day(1), `${day(2)}?`, day(3), `${day(4)}?`);
  expect(await removeOutdated(into, 2)).toEqual([]);
  expect(await removeOutdated(into, 1)).toEqual([day(1), day(2)]);
  expect(readdirSync(into).toSorted()).toEqual([day(3), day(4)]);
});

test('directories of other names are left alone', async () => {
  const into = directoryWith('2020-01-01', 'lost+found?', day(1), day(2));
  expect(await removeOutdated(into, 1)).toEqual([day(1)]);
  expect(readdirSync(into)).toEqual(expect.arrayContaining(['2020-01-01', 'lost+found']));
});
