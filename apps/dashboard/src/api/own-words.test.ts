import { expect, test } from 'vitest';
import { serverMessages } from '../strings/de/server-messages.ts';
import { serverMessages as spanish } from '../strings/es/server-messages.ts';
import { serverMessages as french } from '../strings/fr/server-messages.ts';
import { inOwnWords, loadWords } from './own-words.ts';

const inGerman = (code: string, message: string, problem?: Parameters<typeof inOwnWords>[0]['problem']) =>
  inOwnWords({ code, message, ...(problem ? { problem } : {}) }, serverMessages);

test('in English the server has the word', async () => {
  expect(inOwnWords({ code: 'gone', message: 'It was deleted.' }, await loadWords())).toBe('It was deleted.');
});

test('a message is translated by its words, else by its problem, else by its code', () => {
  expect(inGerman('invalid_request', 'The current password is wrong.')).toBe(
    'Das aktuelle Passwort ist falsch.',
  );
  const range = { code: 'range', values: { min: 1, max: 20000 } } as const;
  expect(inGerman('invalid_request', 'size must be a number from 1 to 20,000.', range)).toMatch(
    /von 1 bis 20/,
  );
  expect(inGerman('gone', 'The code was deleted.')).toBe('Dieser Code wurde gelöscht.');
});

test('what has no translation is said in English', () => {
  expect(inGerman('invalid_request', 'Something new.')).toBe('Something new.');
  const later = { code: 'of a later version' as 'range', values: {} };
  expect(inGerman('invalid_request', 'Something new.', later)).toBe('Something new.');
});

test('a message keeps its values', () => {
  const message =
    'The plan includes 3 people, and the account has 4, pending invitations included. Remove somebody, revoke an invitation, or change the plan.';
  expect(inGerman('quota_exceeded', message)).toMatch(/3 Personen.*4/);
});

test('every language asks for the same values of a problem', () => {
  const places = (text: string | undefined) =>
    [...(text ?? '').matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
  for (const [key, text] of Object.entries(serverMessages))
    for (const other of [spanish, french] as Readonly<Record<string, string>>[])
      expect(places(other[key]), key).toEqual(places(text));
});
