import { expect, test } from 'vitest';
import {
  causeOf,
  chipsOf,
  hostIn,
  hostOf,
  kindsOf,
  reachInWords,
  suggestedReasons,
  timesOf,
} from './words.ts';

const at = '2026-11-16T03:00:00.000Z';

test('the kinds of a report are named once each, the most frequent first', () => {
  const messages = (['scam', 'phishing', 'phishing'] as const).map(kind => ({ kind, text: '', at }));
  expect(kindsOf(messages)).toEqual(['phishing', 'scam']);
  expect(kindsOf([])).toEqual([]);
});

test('the reason that fits the report is suggested first, in words that fit a code or an account', () => {
  const kinds = (kind: 'scam' | 'other' | undefined) => suggestedReasons('code', kind).map(one => one.kind);
  expect(kinds('scam')).toEqual(['scam', 'phishing', 'malware', 'illegal']);
  expect(kinds('other')).toEqual(kinds(undefined));
  expect(suggestedReasons('code', 'phishing')[0]!.text).toContain('The destination asks for passwords');
  expect(suggestedReasons('account', 'phishing')[0]!.text).toContain('Codes of this account');
});

test('a suspension says what has set it', () => {
  expect(causeOf({ cause: 'operator', source: '' })).toBe('by an operator');
  expect(causeOf({ cause: 'host', source: 'evil.example' })).toBe('because evil.example is blocked');
  expect(causeOf({ cause: 'list', source: 'urlhaus' })).toBe(
    'because its destination is on the blocklist urlhaus',
  );
});

test('the reach of a host is said before it is blocked', () => {
  expect(reachInWords({ codes: 0, accounts: 0 })).toBe('No code leads there at present.');
  expect(reachInWords({ codes: 1, accounts: 1 })).toBe('1 code of 1 account leads there.');
  expect(reachInWords({ codes: 1200, accounts: 2 })).toBe('1,200 codes of 2 accounts lead there.');
  expect(reachInWords({ codes: 100_001, accounts: 7 })).toBe(
    'More than 100,000 codes of at least 7 accounts lead there.',
  );
});

test('an account shows that it is suspended, closed, waiting for its e-mail or new', () => {
  const now = new Date(at);
  const old = { created_at: '2025-01-01T00:00:00.000Z', closed_at: null, suspended: false, held: false };
  const labels = (more: object) => chipsOf({ ...old, ...more }, now).map(({ label }) => label);
  expect(labels({})).toEqual([]);
  expect(labels({ created_at: '2026-11-15T00:00:00.000Z', held: true })).toEqual([
    'Waiting for e-mail',
    'New',
  ]);
  expect(labels({ suspended: true, closed_at: at, created_at: at })).toEqual(['Suspended', 'Closed']);
});

test('a host is shown in ASCII, so that no letter poses as another one', () => {
  expect(hostOf('https://www.example.com:8443/sign-in?x=1')).toBe('www.example.com');
  expect(hostOf('https://аpple.com/')).toBe('xn--pple-43d.com');
  expect(hostOf('')).toBe('');
});

test('a host is taken from an address that was pasted', () => {
  expect(hostIn(' https://Evil.example/sign-in ')).toBe('evil.example');
  expect(hostIn('Evil.example/path?x')).toBe('evil.example');
  expect(hostIn('evil.example')).toBe('evil.example');
  expect(hostIn('')).toBe('');
});

test('how often is said in words', () => {
  expect([1, 2, 3].map(timesOf)).toEqual(['once', 'twice', '3 times']);
});
