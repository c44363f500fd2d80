import { expect, test } from 'vitest';
import { errorOf, offline, unreachable } from '../api/api-error.ts';
import { sentenceOf, toastOf } from './problem-words.ts';

const answer = (status: number, code: string, message: string) =>
  errorOf(status, { error: { code, message } }, new Headers());

test('a fault is named, and the change is said to be still there', () => {
  expect(toastOf(answer(503, 'unavailable', 'x'), 'Not saved', true)).toEqual({
    title: 'Not saved',
    text: 'The server can’t reach its database. Your change is still here.',
  });
  expect(toastOf(offline(), 'Not saved', true).text).toContain('You’re offline.');
  expect(toastOf(unreachable(), 'Not sent', false)).toEqual({
    title: 'Not sent',
    text: 'The server isn’t responding.',
  });
});

test('a refusal is told in the words of the server, with what to do', () => {
  expect(toastOf(answer(400, 'invalid_url', 'Use an https address.'), 'Not saved', true)).toEqual({
    title: 'Not saved',
    text: 'Use an https address.',
  });
  expect(toastOf(answer(403, 'quota_exceeded', 'You have 10 codes.'), 'Not saved', true).text).toMatch(
    /^You have 10 codes\. Delete a code/,
  );
});

test('a page that could not be loaded says why', () => {
  expect(sentenceOf(offline())).toBe('You’re offline.');
  expect(sentenceOf(answer(503, 'unavailable', 'x'))).toContain('can’t reach its database');
  expect(sentenceOf(new TypeError('x of undefined'))).toContain('Something unexpected happened.');
});
