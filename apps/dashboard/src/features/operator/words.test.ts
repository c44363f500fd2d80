import { expect, test } from 'vitest';
import { chipsOf, hostIn, hostOf, kindsOf, reachInWords, suggestedReasons } from './words.ts';

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

test('the reach of a host is said before it is blocked', () => {
  expect(reachInWords({ codes: 0, domains: 0, accounts: 0 })).toEqual(['No code leads there.']);
  expect(reachInWords({ codes: 0, domains: 1, accounts: 1 })).toEqual([
    'No code leads there.',
    '1 domain leads there without a code.',
    'Accounts: 1',
  ]);
  expect(reachInWords({ codes: 1, domains: 0, accounts: 1 })).toEqual(['1 code leads there.', 'Accounts: 1']);
  expect(reachInWords({ codes: 1200, domains: 0, accounts: 2 })).toEqual([
    '1,200 codes lead there.',
    'Accounts: 2',
  ]);
  expect(reachInWords({ codes: 100_001, domains: 0, accounts: 7 })).toEqual([
    'More than 100,000 codes lead there.',
    'Accounts: 7',
  ]);
});

test('an account shows that it is suspended, closed, waiting for its e-mail or new', () => {
  const now = new Date(at);
  const old = { created_at: '2025-01-01T00:00:00.000Z', closed_at: null, suspended: false, held: false };
  const labels = (more: object) => chipsOf({ ...old, ...more }, now).map(({ label }) => label);
  expect(labels({})).toEqual([]);
  expect(labels({ created_at: '2026-11-15T00:00:00.000Z', held: true })).toEqual([
    'E-mail not confirmed',
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
