import { expect, test } from 'vitest';
import { preferredLanguages } from './accept-language.ts';

test.each([
  ['de', ['de']],
  ['de-AT,de;q=0.9,en;q=0.8', ['de-at']],
  ['en;q=0.5, FR-ca;q=0.9, pt-BR;q=0.9', ['fr-ca', 'pt-br']],
  ['de, en', ['de', 'en']],
  ['*', []],
  ['*, de;q=0.5', []],
  ['de, *;q=0.5', ['de']],
  ['*, de', ['de']],
  ['de;q=0', []],
  ['', []],
  ['<script>', []],
] as const)('of %j the languages that weigh most are %j', (header, languages) => {
  expect(preferredLanguages(header)).toEqual(languages);
});

test('a header of any length costs no more than a usual one', () => {
  expect(preferredLanguages('de,'.repeat(100_000)).length).toBeLessThanOrEqual(20);
});
