import { expect, test } from 'vitest';
import { errorOf, offline, unreachable } from './api-error.ts';
import { retryDelayMs, worthRetrying } from './retry.ts';

const refusal = (status: number, retryAfter?: string) =>
  errorOf(status, {}, new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }));

test('a chart that has to wait for its turn asks again when the server says so', () => {
  const busy = refusal(429, '2');
  expect([worthRetrying(0, busy), worthRetrying(3, busy), worthRetrying(4, busy)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(retryDelayMs(3, busy)).toBe(2000);
});

test('a wait that nobody sits through, or that has no end, is shown at once', () => {
  expect(worthRetrying(0, refusal(429, '45'))).toBe(false);
  expect(worthRetrying(0, refusal(429))).toBe(false);
});

test('silence and faults are asked about twice more, refusals and a missing connection never', () => {
  for (const fault of [unreachable(), refusal(503), refusal(500)]) {
    expect([worthRetrying(1, fault), worthRetrying(2, fault)]).toEqual([true, false]);
    expect(retryDelayMs(1, fault)).toBe(2000);
  }
  for (const final of [offline(), refusal(400), refusal(403), refusal(404), new Error('else')]) {
    expect(worthRetrying(0, final)).toBe(false);
  }
});
