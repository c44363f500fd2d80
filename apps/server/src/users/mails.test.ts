import { languages } from '@signpost/contract';
import { describe, expect, test } from 'vitest';
import { de } from './mail-texts/de.ts';
import { en } from './mail-texts/en.ts';
import { es } from './mail-texts/es.ts';
import { fr } from './mail-texts/fr.ts';
import { invitationMail, newKeyMail, suspendedMail } from './mails.ts';

const at = new Date('2026-11-18T09:05:00Z');

const placesOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

describe.each([
  ['de', de],
  ['fr', fr],
  ['es', es],
])('mails in %s', (_, words) => {
  const { somebody: _somebody, operator: _operator, modes: _modes, ...mails } = en;
  test.each(Object.keys(mails) as (keyof typeof mails)[])('%s has the places of the English one', name => {
    expect(placesOf(words[name].subject)).toEqual(placesOf(en[name].subject));
    expect(placesOf(words[name].text)).toEqual(placesOf(en[name].text));
    expect(words[name].text).not.toBe(en[name].text);
  });
});

test('times and modes are written as in the language around them', () => {
  const { subject, text } = newKeyMail('test', at, 'https://s.example').write('de');
  expect(subject).toBe('Neuer API-Schlüssel (Test) in Ihrem Konto');
  expect(text).toContain('am 18. November 2026 um 09:05 UTC');
  expect(newKeyMail('test', at, 'https://s.example').write('en').text).toContain(
    'on 2026-11-18 at 09:05 UTC',
  );
});

test.each(languages)('in %s, a code is named by its link, and an account by nothing', language => {
  const url = 'https://s.example';
  expect(suspendedMail('https://s.example/menu', at, url).write(language).text).toContain('s.example/menu');
  expect(suspendedMail(null, at, url).write(language).text).not.toContain('{');
});

test.each(languages)('in %s, an address that mailboxes would show as a link is not written', language => {
  const { text } = invitationMail('https://s.example/i', 'www.evil.example@example.com').write(language);
  expect(text).not.toContain('evil');
});
