import { describe, expect, test } from 'vitest';
import { linkKeyIn } from '../redirect/decide.ts';
import { maxFormBytes, maxLink, maxText, parseReportForm, reportedKey } from './form.ts';

const base = 'https://sign.example';
const keyOf = (link: string, shortBaseUrl = base) => reportedKey(link, shortBaseUrl, linkKeyIn);

describe('the link of a report', () => {
  test.each([
    'https://sign.example/Menu-7',
    'http://SIGN.example/menu-7',
    'https://sign.example./menu-7/',
    'sign.example/menu-7',
    'menu-7',
    '/menu-7',
    'menu-7+',
    'https://sign.example/menu-7+',
    'https://sign.example/menu-7%2B',
    'https://sign.example/menu-7+?x=1',
    'https://sign.example/menu-7?utm_source=poster#top',
    'menu-7?x=1',
  ])('%s is one of ours', link => expect(keyOf(link)).toBe('menu-7'));

  test.each([
    't/bcdfghjk/Menu-7',
    'https://sign.example/t/BCDFGHJK/menu-7+',
    'sign.example/t/bcdfghjk/menu-7?x',
  ])('%s is a test code of ours', link => expect(keyOf(link)).toBe('t/bcdfghjk/menu-7'));

  test.each([
    '',
    'https://other.example/menu-7',
    'other.example/menu-7',
    'https://sign.example.evil.example/menu-7',
    'https://sign.example:8443/menu-7',
    'https://sign.example@evil.example/menu-7',
    'https://sign.example/',
    'https://sign.example/a/b/c',
    'javascript:alert(1)',
    'mailto:a@sign.example',
    'https://',
    `https://sign.example/${'a'.repeat(maxLink)}`,
  ])('%s is none', link => expect(keyOf(link)).toBeNull());

  test('a base with a path and a port is ours with both alone', () => {
    const withPath = 'http://localhost:8081/go';
    expect(keyOf('http://localhost:8081/go/menu-7', withPath)).toBe('menu-7');
    expect(keyOf('localhost:8081/go/menu-7', withPath)).toBe('menu-7');
    for (const link of ['http://localhost:8081/menu-7', 'http://localhost/go/menu-7'])
      expect(keyOf(link, withPath)).toBeNull();
  });
});

describe('a form', () => {
  const parse = (fields: Record<string, string>) =>
    parseReportForm(new URLSearchParams(fields).toString(), base, linkKeyIn);

  test('keeps its text, but for what nobody can read', () => {
    const text = ' <b>Bank</b>\r\n\tline\u0000 two\u0007\u009b & \ud800 “end” ';
    expect(parse({ link: 'menu-7', kind: 'scam', text })).toEqual({
      kind: 'good',
      linkKey: 'menu-7',
      report: 'scam',
      text: '<b>Bank</b>\n\tline two & \ufffd “end”',
    });
  });

  test('says all that is wrong with it at once', () => {
    expect(parse({})).toEqual({ kind: 'wrong', errors: { link: 'missing', kind: 'missing' } });
    expect(parse({ link: 'https://other.example', kind: 'nice', text: 'x'.repeat(maxText + 1) })).toEqual({
      kind: 'wrong',
      errors: { link: 'foreign', kind: 'missing', text: 'long' },
    });
  });

  test('of something else needs a text, of any other kind none', () => {
    const missing = { kind: 'wrong', errors: { text: 'missing' } };
    expect(parse({ link: 'menu-7', kind: 'other', text: ' \r\n' })).toEqual(missing);
    expect(parse({ link: 'menu-7', kind: 'other', text: 'x' })).toMatchObject({ kind: 'good' });
    expect(parse({ link: 'menu-7', kind: 'scam' })).toMatchObject({ kind: 'good' });
  });

  test('has room for the longest text of any letters, with line breaks as browsers send them', () => {
    for (const one of ['\r\n', '\u4e00', '<', 'é']) {
      const text = `x${one.repeat(maxText - 2)}x`;
      const fields = new URLSearchParams({ link: 'é'.repeat(maxLink), kind: 'phishing', text });
      expect(fields.toString().length).toBeLessThan(maxFormBytes);
      expect(parse({ link: 'menu-7', kind: 'phishing', text })).toMatchObject({ kind: 'good' });
    }
  });
});
