import { describe, expect, test } from 'vitest';
import { createLinkNames } from '../../kernel/addresses/link-names.ts';
import { maxFormBytes, maxLink, maxText, parseReportForm } from './form.ts';

const linkNames = createLinkNames('https://sign.example');

describe('a report form', () => {
  const parse = (fields: Record<string, string>) =>
    parseReportForm(new URLSearchParams(fields).toString(), linkNames);

  test('keeps its text except unreadable characters', () => {
    const text = ' <b>Bank</b>\r\n\tline\u0000 two\u0007\u009b & \ud800 “end” ';
    expect(parse({ link: 'menu-7', kind: 'scam', text })).toEqual({
      kind: 'valid',
      linkKey: 'menu-7',
      report: 'scam',
      text: '<b>Bank</b>\n\tline two & \ufffd “end”',
    });
  });

  test('reports all its errors at once', () => {
    expect(parse({})).toEqual({ kind: 'invalid', errors: { link: 'missing', kind: 'missing' } });
    expect(parse({ link: 'https://other.example', kind: 'nice', text: 'x'.repeat(maxText + 1) })).toEqual({
      kind: 'invalid',
      errors: { link: 'foreign', kind: 'missing', text: 'long' },
    });
  });

  test('with a link that is too long is refused as foreign', () => {
    const link = `https://sign.example/menu-7?${'a'.repeat(maxLink)}`;
    expect(parse({ link, kind: 'scam' })).toEqual({ kind: 'invalid', errors: { link: 'foreign' } });
  });

  test('of the kind “something else” needs a text, of any other kind none', () => {
    const missing = { kind: 'invalid', errors: { text: 'missing' } };
    expect(parse({ link: 'menu-7', kind: 'other', text: ' \r\n' })).toEqual(missing);
    expect(parse({ link: 'menu-7', kind: 'other', text: 'x' })).toMatchObject({ kind: 'valid' });
    expect(parse({ link: 'menu-7', kind: 'scam' })).toMatchObject({ kind: 'valid' });
  });

  test('has room for the longest text in any script, with line breaks as browsers send them', () => {
    for (const character of ['\r\n', '\u4e00', '<', 'é']) {
      const text = `x${character.repeat(maxText - 2)}x`;
      const fields = new URLSearchParams({ link: 'é'.repeat(maxLink), kind: 'phishing', text });
      expect(fields.toString().length).toBeLessThan(maxFormBytes);
      expect(parse({ link: 'menu-7', kind: 'phishing', text })).toMatchObject({ kind: 'valid' });
    }
  });
});
