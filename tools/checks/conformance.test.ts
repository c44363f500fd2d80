import { expect, test } from 'vitest';
import { rowsOf } from './conformance/page.ts';
import { conformanceFaults } from './conformance.ts';

const page = [
  '# Conformance',
  '',
  '| Rule | Where it says so | Test |',
  '|---|:--|---|',
  '| a code redirects | 1.2 | `a.test.ts › redirect › answers 302`<br>`b.it.ts › keeps the scan` |',
  '| a pipe \\| in a cell | 1.3 | a.test.ts › takes a \\| b |',
  '| nobody has shown this | 1.4 | |',
  '',
  '| Other | Test |',
  '|---|---|',
  '| each word | `c.test.ts › %s is taken` |',
].join('\n');

const tests = [
  { file: 'a.test.ts', name: 'redirect › answers 302' },
  { file: 'a.test.ts', name: 'takes a | b' },
  { file: 'b.it.ts', name: 'keeps the scan' },
  { file: 'c.test.ts', name: '%s is taken' },
];

test('rows are read from every table, with their line and the tests of their last cell', () => {
  expect(rowsOf(page)).toEqual([
    {
      line: 5,
      tests: [
        { file: 'a.test.ts', name: 'redirect › answers 302' },
        { file: 'b.it.ts', name: 'keeps the scan' },
      ],
    },
    { line: 6, tests: [{ file: 'a.test.ts', name: 'takes a | b' }] },
    { line: 7, tests: [] },
    { line: 11, tests: [{ file: 'c.test.ts', name: '%s is taken' }] },
  ]);
});

test('a row without a test is a fault', () => {
  expect(conformanceFaults(page, tests)).toEqual(['7: names no test']);
});

test('a named test that does not exist is a fault', () => {
  expect(conformanceFaults(page, tests.slice(1))).toContain(
    '5: no such test: a.test.ts › redirect › answers 302',
  );
});

test('a test of the same name in another file does not count', () => {
  const moved = tests.map(each => ({ ...each, file: each.file.replace('b.it', 'd.it') }));
  expect(conformanceFaults(page, moved)).toContain('5: no such test: b.it.ts › keeps the scan');
});

test('a group is part of the name', () => {
  const ungrouped = tests.map(each => ({ ...each, name: each.name.replace('redirect › ', '') }));
  expect(conformanceFaults(page, ungrouped)).toContain('5: no such test: a.test.ts › redirect › answers 302');
});

test('a template names the tests generated from it', () => {
  const expanded = tests.map(each => ({ ...each, name: each.name.replace('%s', 'active (1.0)') }));
  expect(conformanceFaults(page, expanded)).toEqual(['7: names no test']);
  const others = tests.map(each => ({
    ...each,
    name: each.name.replace('%s is taken', 'active is refused'),
  }));
  expect(conformanceFaults(page, others)).toContain('11: no such test: c.test.ts › %s is taken');
});
