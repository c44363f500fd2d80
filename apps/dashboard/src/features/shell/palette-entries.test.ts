import { expect, test } from 'vitest';
import { fixedEntries } from './palette-entries.ts';

const none = { go: () => {}, newCode: () => {}, changeMode: () => {}, showKeys: () => {} };
const labels = (typed: string, isOperator = false) =>
  fixedEntries(typed, { mode: 'live', isOperator, hasPlans: true }, none).map(({ label }) => label);

test('pages and actions are found by any of their words', () => {
  expect(labels('api k')).toEqual(['API keys']);
  expect(labels('test')).toEqual(['Switch to test mode']);
  expect(labels('nothing like it')).toEqual([]);
});

test('pages of operators are offered to operators alone', () => {
  expect(labels('suspen')).toEqual([]);
  expect(labels('suspen', true)).toEqual(['Suspensions']);
});
