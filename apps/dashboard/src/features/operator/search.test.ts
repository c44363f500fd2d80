import { expect, test } from 'vitest';
import {
  parseAccountsSearch,
  parseLookUpSearch,
  parsePageSearch,
  parsePeopleSearch,
  parseReportsSearch,
  parseSuspensionsSearch,
} from './search.ts';

test('a list begins with its open entries on the first page, and the address then says nothing', () => {
  expect(parseReportsSearch({})).toEqual({});
  expect(parseReportsSearch({ state: 'open', page: 1 })).toEqual({});
  expect(parseReportsSearch({ state: 'closed', page: '3' })).toEqual({ state: 'closed', page: 3 });
  expect(parseSuspensionsSearch({ state: 'appealed' })).toEqual({ state: 'appealed' });
});

test('what is wrong in the address is left out', () => {
  expect(parseReportsSearch({ state: 'appealed', page: 'two' })).toEqual({});
  expect(parsePageSearch({ page: -1 })).toEqual({});
  expect(parsePageSearch({ page: 1.5 })).toEqual({});
  expect(parseLookUpSearch({ link: ['x'] })).toEqual({});
});

test('a short code of digits alone is looked up as it was typed', () => {
  expect(parseLookUpSearch({ link: 2026 })).toEqual({ link: '2026' });
  expect(parseLookUpSearch({ link: '  spring ' })).toEqual({ link: 'spring' });
  expect(parseLookUpSearch({ link: ' ' })).toEqual({});
});

test('lists of people and accounts keep what was searched for, and leave out what they do not know', () => {
  expect(parsePeopleSearch({ search: ' ada ', state: 'operators', page: 3 })).toEqual({
    search: 'ada',
    state: 'operators',
    page: 3,
  });
  expect(parsePeopleSearch({ search: 42, state: 'all', page: 1 })).toEqual({ search: '42' });
  expect(parseAccountsSearch({ plan: 'pro', state: 'closed', search: '' })).toEqual({
    plan: 'pro',
    state: 'closed',
  });
  expect(parseAccountsSearch({ plan: {}, state: 'unknown' })).toEqual({});
});
