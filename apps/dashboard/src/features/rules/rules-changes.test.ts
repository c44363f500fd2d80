import { expect, test } from 'vitest';
import { describeRules, readRules } from './rules-changes.ts';

const rule = (id: string, more: object = {}) => ({
  id,
  name: id,
  active: true,
  when: {},
  unless: {},
  to: [{ id: `${id}-a`, url: 'https://example.com', weight: 1, label: '' }],
  ...more,
});

test('the history says what was done to rules', () => {
  const before = [rule('lunch'), rule('german'), rule('old'), rule('late', { name: '' })];
  const after = [
    rule('german', { active: false, when: { language: ['de'] } }),
    rule('lunch', {
      name: 'Lunch menu',
      to: [{ id: 'x', url: 'https://other.example', weight: 1, label: '' }],
    }),
    rule('new'),
    rule('late', { name: '' }),
  ];
  expect(describeRules(before, after).map(({ line }) => line)).toEqual([
    '“german” switched off',
    'Conditions of “german” changed',
    '“lunch” renamed “Lunch menu”',
    'Destination of “Lunch menu” changed',
    '“new” added',
    '“old” removed',
    'Order changed',
  ]);
  expect(describeRules(before, before)).toEqual([]);
});

test('two rules of one name have a line each', () => {
  const twins = [rule('a', { name: 'Lunch' }), rule('b', { name: 'Lunch' })];
  const changes = describeRules([], twins);
  expect(changes.map(({ line }) => line)).toEqual(['“Lunch” added', '“Lunch” added']);
  expect(new Set(changes.map(({ key }) => key)).size).toBe(2);
});

test('no rules are an empty text, and what is no list is not restored', () => {
  expect(readRules('')).toEqual([]);
  expect(readRules(JSON.stringify([rule('a')]))).toEqual([rule('a')]);
  expect(readRules('[{"id"')).toBeNull();
});
