import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toUri } from '../kernel/addresses/location.ts';
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
    ['https://a.example/', '%zz=1', 'https://a.example/?%25zz=1'],
    ['https://a.example/', 'x=<"a">&[y]={1}', 'https://a.example/?x=%3C%22a%22%3E&%5By%5D=%7B1%7D'],
    ['https://a.example/', 'x=1;own=2', 'https://a.example/?x=1%3Bown=2'],
    ['https://a.example/<a>?y="b"', 'x=1', 'https://a.example/%3Ca%3E?y=%22b%22&x=1'],
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
    [[['x', '2']], '?x=2'],
    [[['n&m', 'a=b&c #']], '?x=1&n%26m=a%3Db%26c%20%23'],
    [[['all', '{qr_id}{short_code}{device}{language}{rule}{target}']], '?x=1&all=qr_1Menuiosderul_1tgt_1'],
  ])('%j become %s', (append, expected) => {
    expect(extend('https://a.example/', 'x=1', append)).toBe(`https://a.example/${expected}`);
  });

  test.each(['x=evil', '%78=evil', 'x=evil&x=worse', 'x', 'a=1;x=evil'])(
    'win over what a scanner forwards: %s',
    query => {
      const { searchParams } = new URL(extend('https://a.example/?own=1', query, [['x', 'mine']]));
      expect(searchParams.getAll('x')).toEqual(['mine']);
      expect(searchParams.getAll('own')).toEqual(['1']);
    },
  );

  test('stay where a forwarded query makes the result too long', () => {
    const long = `https://a.example/?y=${'b'.repeat(4000)}`;
    expect(extend(long, `z=${'"'.repeat(2000)}`, [['x', 'mine']])).toBe(`${long}&x=mine`);
  });

  test('a macro of an unknown name is found before it is stored', () => {
    expect(findUnknownMacro('{placement} and {country}')).toBeNull();
    expect(findUnknownMacro('plain')).toBeNull();
    for (const text of ['{scan_id}', '{', '}', '{}', '{{country}}', '{country', '{Country}'])
      expect(findUnknownMacro(text), text).not.toBeNull();
  });
});

test('5,000 hostile queries: a URI of RFC 3986, the page of the owner, and the values of the owner', () => {
  const locations = [
    'https://a.example',
    'https://a.example/p?y=2#f',
    'https://a.example/p#f?g',
    'https://a.example/<p>?y="',
  ];
  const names = ['x', 'y', 'utm_source', 'a b', 'ä'];
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3000 }),
    fc.string({
      unit: fc.constantFrom(
        ...'&=?#%/@:;\\\r\n <>"{}[]|^`+',
        'x',
        'y',
        '%78',
        'utm_source',
        '%',
        '{country}',
      ),
      maxLength: 400,
    }),
    fc
      .array(fc.tuple(fc.constantFrom(...names), fc.string({ unit: 'grapheme-ascii' })))
      .map(pairs =>
        pairs.map(([name, value]) => `${encodeURIComponent(name)}=${value.replaceAll('#', '')}`).join('&'),
      ),
  );
  const pairs = fc.uniqueArray(fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), hostile), {
    selector: ([name]) => name.toWellFormed(),
    maxLength: 3,
  });
  fc.assert(
    fc.property(fc.constantFrom(...locations), hostile, pairs, (location, query, append) => {
      const extended = extend(location, query, append);
      const [before, after] = [new URL(location), new URL(extended)];
      expect(extended).toMatch(uri);
      expect(extended.length).toBeLessThanOrEqual(8192);
      expect([after.origin, after.pathname, after.hash]).toEqual([
        before.origin,
        before.pathname,
        before.hash,
      ]);
      for (const name of before.searchParams.keys())
        expect(after.searchParams.getAll(name)).toEqual(before.searchParams.getAll(name));
      const set = new Set([...before.searchParams.keys(), ...append.map(([name]) => name)]);
      const forwarded = [...after.searchParams].filter(([name]) => !set.has(name));
      const asked = [...new URLSearchParams(`&${query}`)].filter(([name]) => !set.has(name));
      const isPassedOn = /^[!-"$-~]{0,500}$/.test(query);
      expect(forwarded).toEqual(isPassedOn || forwarded.length > 0 ? asked : []);
      for (const [name, value] of append.filter(([name]) => !before.searchParams.has(name))) {
        const mine = value.replaceAll('{country}', values.country).toWellFormed();
        const found = after.searchParams.getAll(name);
        if (found.length > 0) expect(found).toEqual([mine]);
        else expect(extend(location, '', append)).toBe(toUri(location));
      }
    }),
    { numRuns: 5000 },
  );
});

/** Path, query and fragment of RFC 3986; the hosts of these tests are plain. */
const uri =
  /^https:\/\/[a-z.]+(\/([\w\-.~!$&'()*+,;=:@/]|%[\dA-Fa-f]{2})*)?(\?([\w\-.~!$&'()*+,;=:@/?]|%[\dA-Fa-f]{2})*)?(#([\w\-.~!$&'()*+,;=:@/?]|%[\dA-Fa-f]{2})*)?$/;
