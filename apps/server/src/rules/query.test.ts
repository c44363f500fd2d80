import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extendQuery, findUnknownMacro, type MacroValues } from './query.ts';

const values: MacroValues = {
  qr_id: 'qr_1',
  short_code: 'Menu',
  placement: 'till',
  country: 'DE',
  device: 'ios',
  language: 'de',
  rule: 'rul_1',
  target: 'tgt_1',
};
const extend = (location: string, query: string, append: [string, string][] = [], forward = true) =>
  extendQuery(location, query, { forward, append }, () => values);

describe('the query of the short link', () => {
  test.each([
    ['https://a.example', 'x=1', 'https://a.example?x=1'],
    ['https://a.example/?y=2', 'x=1', 'https://a.example/?y=2&x=1'],
    ['https://a.example/?', 'x=1', 'https://a.example/?x=1'],
    ['https://a.example/?y=2&', 'x=1', 'https://a.example/?y=2&x=1'],
    ['https://a.example/#top', 'x=1', 'https://a.example/?x=1#top'],
    ['https://a.example/#a?b', 'x=1', 'https://a.example/?x=1#a?b'],
    ['https://a.example/?x=0', 'x=1&z=3', 'https://a.example/?x=0&z=3'],
    ['https://a.example/?a+b=0', 'a%20b=1', 'https://a.example/?a+b=0'],
    ['https://a.example/', 'x=1&x=2', 'https://a.example/?x=1&x=2'],
    ['https://a.example/', '&&', 'https://a.example/'],
    ['https://a.example/', '', 'https://a.example/'],
    ['https://a.example/', '%zz=1', 'https://a.example/?%zz=1'],
    ['https://a.example/', `x=${'a'.repeat(2047)}`, 'https://a.example/'],
    ['https://a.example/', 'x=ä', 'https://a.example/'],
    ['https://a.example/', 'x=1\r\ny', 'https://a.example/'],
  ])('%s with %s is %s', (location, query, expected) => {
    expect(extend(location, query)).toBe(expected);
  });

  test('is not passed on unless the owner wants it', () => {
    expect(extend('https://a.example/', 'x=1', [], false)).toBe('https://a.example/');
  });

  test('is left out where the destination would become too long for a header', () => {
    const long = `https://a.example/?y=${'b'.repeat(4000)}`;
    expect(extend(long, `x=${'a'.repeat(2000)}`)).toContain('&x=');
    const append = Array.from({ length: 20 }, (_, i): [string, string] => [`p${i}`, 'ä'.repeat(100)]);
    expect(extend(long, '', append)).toBe(long);
  });
});

describe('appended pairs', () => {
  test.each<[[string, string][], string]>([
    [[['utm_source', 'qr']], '?x=1&utm_source=qr'],
    [[['utm_content', '{placement}-{country}']], '?x=1&utm_content=till-DE'],
    [[['x', '2']], '?x=1'],
    [[['n&m', 'a=b&c #']], '?x=1&n%26m=a%3Db%26c%20%23'],
    [[['all', '{qr_id}{short_code}{device}{language}{rule}{target}']], '?x=1&all=qr_1Menuiosderul_1tgt_1'],
  ])('%j become %s', (append, expected) => {
    expect(extend('https://a.example/', 'x=1', append)).toBe(`https://a.example/${expected}`);
  });

  test('a macro of an unknown name is found before it is stored', () => {
    expect(findUnknownMacro('{placement} and {country}')).toBeNull();
    expect(findUnknownMacro('plain')).toBeNull();
    for (const text of ['{scan_id}', '{', '}', '{}', '{{country}}', '{country', '{Country}'])
      expect(findUnknownMacro(text), text).not.toBeNull();
  });
});

test('no query of a scanner changes the host or the path, or breaks the header', () => {
  const locations = ['https://a.example', 'https://a.example/p?y=2#f', 'https://a.example/p#f?g'];
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3000 }),
    fc.string({
      unit: fc.constantFrom('&', '=', '?', '#', '%', '/', '@', ':', '\\', '\r', '\n', ' ', 'x', '{country}'),
    }),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...locations),
      hostile,
      fc.array(fc.tuple(fc.string(), hostile), { maxLength: 3 }),
      (location, query, append) => {
        const extended = extend(location, query, append);
        const [before, after] = [new URL(location), new URL(extended)];
        expect(extended).toMatch(/^[!-~]*$/);
        expect(extended.length).toBeLessThanOrEqual(8192);
        expect([after.origin, after.pathname, after.hash]).toEqual([
          before.origin,
          before.pathname,
          before.hash,
        ]);
        expect(after.searchParams.get('y')).toBe(before.searchParams.get('y') ?? after.searchParams.get('y'));
      },
    ),
    { numRuns: 5000 },
  );
});
