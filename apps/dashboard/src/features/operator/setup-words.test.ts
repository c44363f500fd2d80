import { expect, test } from 'vitest';
import { bySeverity, partsOf, sentenceOf, summaryOf } from './setup-words.ts';

const finding = (check: string, state: 'ok' | 'warning' | 'problem') => ({
  check,
  state,
  found: '',
  next: null,
});

test('problems come before warnings, and those before what is well', () => {
  const findings = [
    finding('a', 'ok'),
    finding('b', 'problem'),
    finding('c', 'warning'),
    finding('d', 'problem'),
  ];
  expect(bySeverity(findings).map(({ check }) => check)).toEqual(['b', 'd', 'c', 'a']);
});

test('the summary counts what needs somebody', () => {
  expect(summaryOf([finding('a', 'ok')])).toBe('Everything is set up');
  expect(summaryOf([finding('a', 'problem'), finding('b', 'warning'), finding('c', 'warning')])).toBe(
    '1 problem, 2 warnings',
  );
});

test('a finding is a sentence, and names in it stay as they are', () => {
  expect(sentenceOf('up to date')).toBe('Up to date.');
  expect(sentenceOf('sign-up is open')).toBe('Sign-up is open.');
  expect(sentenceOf('PUBLIC_URL https://sign.example answers')).toBe(
    'PUBLIC_URL https://sign.example answers.',
  );
  expect(sentenceOf('dbip-city.mmdb (12 days old)')).toBe('dbip-city.mmdb (12 days old).');
});

test('commands in an advice are told apart', () => {
  expect(partsOf('Run `signpost migrate`.')).toEqual([
    { text: 'Run ', isCode: false },
    { text: 'signpost migrate', isCode: true },
    { text: '.', isCode: false },
  ]);
});
