import { CreateQrCode } from '@signpost/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkDestination } from '../../qrcodes/targets/destination.ts';
import { toLocation, toUri } from './location.ts';

const schema = new RegExp(
  (CreateQrCode.properties.destination_url as unknown as { pattern: string }).pattern,
  'u',
);

describe('a location', () => {
  test.each([
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['HTTPS://Example.COM:443/%c3%bc/../x\\y"<>`{}|^', 'HTTPS://Example.COM:443/%c3%bc/../x\\y"<>`{}|^'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://BÜCHER.example:8443?ü', 'https://xn--bcher-kva.example:8443?%C3%BC'],
    ['https://bücher.example#ü', 'https://xn--bcher-kva.example#%C3%BC'],
    ['https://bücher.example.:80/', 'https://xn--bcher-kva.example.:80/'],
    ['https://例え。テスト/', 'https://xn--r8jz45g.xn--zckzah/'],
    ['https://１２７.0.0.1/', 'https://127.0.0.1/'],
    ['https://faß.example/', 'https://xn--fa-hia.example/'],
    ['https://[2001:db8::1]:8443/größe', 'https://[2001:db8::1]:8443/gr%C3%B6%C3%9Fe'],
    ['https://Example.com/größe', 'https://Example.com/gr%C3%B6%C3%9Fe'],
    ['https://example.com/100%/%zz/%C3%BC/ü', 'https://example.com/100%/%zz/%C3%BC/%C3%BC'],
    ['https://example.com\\ü', 'https://example.com\\%C3%BC'],
    ['https://example.com/😀', 'https://example.com/%F0%9F%98%80'],
    ['https://example.com/\u200f\u202e', 'https://example.com/%E2%80%8F%E2%80%AE'],
    ['', ''],
  ])('of %s is %s', (destination, location) => {
    expect(toLocation(destination)).toBe(location);
  });

  test.each([
    ['https://example.com/\ud800x', 'https://example.com/%EF%BF%BDx'],
    ['https://a\u00adb\ud800.example/', 'https://a%C2%ADb%EF%BF%BD.example/'],
    ['https://a\ufdd0.example/ü', 'https://a%EF%B7%90.example/%C3%BC'],
    [`https://${'ü'.repeat(300)}/`, `https://${'%C3%BC'.repeat(300)}/`],
    ['no URL at all: ü', 'no URL at all: %C3%BC'],
  ])('of what is refused today, %j, is ASCII all the same', (destination, location) => {
    expect(toLocation(destination)).toBe(location);
  });

  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      '%',
      '%2F',
      '%C3%BC',
      'ü',
      '日本',
      '/',
      '?',
      '#',
      '\\',
      ':',
      '@',
      '.',
      '..',
      '。',
      '&amp;',
    ),
  );
  const host = fc.oneof(
    fc.domain(),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map(label => `${label}.example`),
    fc.constantFrom(
      'bücher.example',
      'BÜCHER.example',
      '例え.テスト',
      '１２７.1',
      '[::1]',
      'xn--bcher-kva.ü',
    ),
  );
  const destinations = fc
    .tuple(fc.constantFrom('http', 'HTTPS'), host, fc.constantFrom('', ':80', ':8443'), fc.array(piece))
    .map(([scheme, name, port, rest]) => `${scheme}://${name}${port}/${rest.join('')}`);

  const isTaken = (destination: string) => {
    try {
      checkDestination(destination, { includes: () => false });
      return schema.test(destination);
    } catch {
      return false;
    }
  };

  test('of any destination is ASCII and leads to the same page', () => {
    fc.assert(
      fc.property(destinations, destination => {
        fc.pre(isTaken(destination));
        const location = toLocation(destination);
        expect(location).toMatch(/^[ -~]*$/);
        expect(new URL(location).href).toBe(new URL(destination).href);
        if (/^[ -~]*$/.test(destination)) expect(location).toBe(destination);
      }),
      { numRuns: 10_000 },
    );
  });

  /** The characters of RFC 3986 by part; brackets only around an IPv6 address. */
  const uri =
    /^https?:\/\/(\[[\da-f:.]+\]|([\w\-.~!$&'()*+,;=]|%[\da-f]{2})+)(:\d*)?(\/([\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})*)?(\?([\w\-.~!$&'()*+,;=:@/?]|%[\da-f]{2})*)?(#([\w\-.~!$&'()*+,;=:@/?]|%[\da-f]{2})*)?$/i;

  test.each([
    ['https://a.example/a?b=c#d', 'https://a.example/a?b=c#d'],
    [
      'https://a.example/<"a|b">?q={x}^`[1]#<b>#c',
      'https://a.example/%3C%22a%7Cb%22%3E?q=%7Bx%7D%5E%60%5B1%5D#%3Cb%3E%23c',
    ],
    ['https://a.example/100%/%zz/%c3%bc', 'https://a.example/100%25/%25zz/%c3%bc'],
    ['https://a.example\\b\\c?d\\e', 'https://a.example/b/c?d%5Ce'],
    ['https://[2001:db8::1]:8443/[x]', 'https://[2001:db8::1]:8443/%5Bx%5D'],
    ['https://a{b}.example', 'https://a%7Bb%7D.example'],
  ])('%s as a URI is %s', (location, expected) => {
    expect(toUri(location)).toBe(expected);
  });

  test('of any destination becomes a URI of RFC 3986 that servers read alike', () => {
    const read = (text: string) => {
      const { origin, pathname, searchParams, hash } = new URL(text);
      return [origin, unescape(pathname), [...searchParams], unescape(hash)];
    };
    fc.assert(
      fc.property(destinations, destination => {
        fc.pre(isTaken(destination));
        const location = toLocation(destination);
        expect(toUri(location)).toMatch(uri);
        expect(read(toUri(location))).toEqual(read(location));
        expect(toUri(toUri(location))).toBe(toUri(location));
      }),
      { numRuns: 10_000 },
    );
  });

  test('of any text is ASCII, and its own location', () => {
    fc.assert(
      fc.property(fc.oneof(destinations, fc.string({ unit: 'binary' })), text => {
        const location = toLocation(text);
        expect(location).toMatch(/^[ -~]*$/);
        expect(toLocation(location)).toBe(location);
      }),
      { numRuns: 5000 },
    );
  });
});
