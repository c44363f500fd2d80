import { describe, expect, test } from 'vitest';
import { maxFormBytes, maxLink, maxText, parseReportForm } from './form.ts';

const base = 'https://sign.example';

describe('a form', () => {
  const parse = (fields: Record<string, string>) =>
    parseReportForm(new URLSearchParams(fields).toString(), base);

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

  test('whose link is longer than any has a foreign one', () => {
    const link = `https://sign.example/menu-7?${'a'.repeat(maxLink)}`;
    expect(parse({ link, kind: 'scam' })).toEqual({ kind: 'wrong', errors: { link: 'foreign' } });
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
