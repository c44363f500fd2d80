import { expect, test } from 'vitest';
import { createKeyFilter } from './key-filter.ts';

const keys = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);

test('every key that was added is likely, and fewer than one in a hundred others', () => {
  const filter = createKeyFilter();
  filter.reset(200_000);
  for (const key of keys('code', 200_000)) filter.add(key);
  filter.ready();
  expect(filter.isFull()).toBe(false);
  expect(keys('code', 200_000).every(key => filter.estimate(key) === 'likely')).toBe(true);
  const wrong = keys('guess', 100_000).filter(key => filter.estimate(key) === 'likely').length;
  expect(wrong).toBeLessThan(1000);
});

test('every key is unsure before all keys were read, and while they are read again', () => {
  const filter = createKeyFilter();
  expect(filter.estimate('a')).toBe('unsure');
  filter.reset(1);
  filter.add('a');
  expect(filter.estimate('a')).toBe('unsure');
  filter.ready();
  expect([filter.estimate('a'), filter.estimate('b')]).toEqual(['likely', 'unlikely']);
  filter.reset(1);
  expect(filter.estimate('a')).toBe('unsure');
});

test('a key that is added again takes no capacity; more keys than its capacity are noticed', () => {
  const filter = createKeyFilter();
  filter.reset(100_000);
  for (let i = 0; i < 3; i++) for (const key of keys('code', 60_000)) filter.add(key);
  expect(filter.isFull()).toBe(false);
  for (const key of keys('more', 50_000)) filter.add(key);
  expect(filter.isFull()).toBe(true);
});
