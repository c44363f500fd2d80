import { expect, test } from 'vitest';
import { wordsFor } from './confirm-email-words.ts';

const state = { held: false, verified: false, sendsMail: true, sent: false, email: 'ada@people.example' };

test('an address that is not confirmed is asked for, and the link can be sent again', () => {
  expect(wordsFor(state)).toEqual({
    title: 'Confirm your e-mail',
    text: 'We sent a link to ada@people.example. Open it to confirm that the address is yours.',
    canSend: true,
  });
  expect(wordsFor({ ...state, sent: true }).text).toContain('A new link is on its way');
});

test('where links wait for it, the banner says what people see until then', () => {
  const held = wordsFor({ ...state, held: true });
  expect(held.text).toContain('We sent a link');
  expect(held.text).toContain('Until you confirm it, people who scan your codes see');
});

test('nothing is offered that cannot work', () => {
  expect(wordsFor({ ...state, held: true, sendsMail: false })).toMatchObject({ canSend: false });
  expect(wordsFor({ ...state, held: true, verified: true })).toMatchObject({ canSend: false });
});
