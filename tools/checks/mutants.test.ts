import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { groups } from './mutants/groups.ts';
import { isReached, lineOf, type Report, scoreOf } from './mutants/score.ts';

const reportOf = (...files: readonly (readonly string[])[]): Report => ({
  files: Object.fromEntries(
    files.map((statuses, index) => [`${index}.ts`, { mutants: statuses.map(status => ({ status })) }]),
  ),
});

test('the score is the share of valid mutants that tests detect, over all files', () => {
  expect(scoreOf(reportOf(['Killed', 'Survived'], ['Timeout', 'NoCoverage', 'Killed']))).toBe(60);
  expect(scoreOf(reportOf(['Killed', 'Ignored', 'CompileError', 'RuntimeError']))).toBe(100);
});

test('a score is never rounded up', () => {
  const statuses = [...Array<string>(799).fill('Killed'), ...Array<string>(201).fill('Survived')];
  expect(scoreOf(reportOf(statuses))).toBe(79);
});

test.each([
  ['has no files', reportOf()],
  ['has no mutants', reportOf([])],
  ['could run none', reportOf(['RuntimeError'])],
  ['found none', reportOf(['Survived'])],
])('a report that %s scores 0', (_, report) => {
  expect(scoreOf(report)).toBe(0);
});

test('the line names every group with its score and its aim, which a score may equal', () => {
  const scores = [
    { group: 'signing', score: 92, aim: 80 },
    { group: 'keys', score: 80, aim: 80 },
    { group: 'rules', score: 89, aim: 90 },
  ];
  expect(lineOf(scores)).toBe('mutants signing 92 (aim 80) keys 80 (aim 80) rules 89 (aim 90)');
  expect(scores.map(isReached)).toEqual([true, true, false]);
});

test.each(Object.entries(groups))('every file of %s exists, and so do its tests', (_, { files, tests }) => {
  const root = resolve(import.meta.dirname, '../..');
  expect([...files, ...tests].filter(file => !existsSync(resolve(root, file)))).toEqual([]);
});
