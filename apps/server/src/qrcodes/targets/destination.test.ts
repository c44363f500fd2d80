import { describe, expect, test } from 'vitest';
import { createOwnAddresses } from '../creation/own-addresses.ts';
import { checkDestination } from './destination.ts';

const own = createOwnAddresses({ urls: ['https://sign.example'], ports: [8080] });
const check = (url: string) => checkDestination(url, own);

describe('destination', () => {
  test.each([
    'https://example.com',
    'http://example.com/a?b=c#d',
    'HTTPS://Example.COM/Path',
    'https://example.com/a\\b',
    'https://example.com/@user',
    'https://example.com?to=a@b.example',
    'https://example.com#a@b\\c',
    'https://signexample/x',
    'https://bücher.example/größe',
    'https://[2001:db8::1]:8443/x',
    'https://example.com./',
    'https://example.com/a..b/../c',
    'https://sub.sign.example/x',
    'https://sign.example:8443/x',
    'https://example.com/?next=https://sign.example/abc',
  ])('%s is accepted', url => {
    expect(() => check(url)).not.toThrow();
  });

  test.each([
    ['https://user:pass@example.com', /user name/],
    ['https://user@example.com', /user name/],
    ['https://@example.com', /user name/],
    ['http://user@example.com/', /user name/],
    ['http://example.com\\@evil.example/', /backslash/],
    ['https://example.com\\@evil.example/', /backslash/],
    ['https://example.com\\evil', /backslash/],
    ['https://', /not a valid/],
    ['https:///example.com', /not a valid/],
    ['https://exa mple.com', /not a valid/],
    ['https://example.com:99999', /not a valid/],
    ['https://[::1', /not a valid/],
    ['https://a\ufdd0.example/', /not a valid/],
    ['https://\u0378.example/', /not a valid/],
    ['https://a..b/', /empty part/],
    ['https://blocked.example../', /empty part/],
    ['https://.example.com/', /empty part/],
    ['https://./', /empty part/],
    ['https://a%2E%2Eb.example/', /empty part/],
    ['https://a。。b.example/', /empty part/],
    ['https://sign.example/menu', /another short link on this server/],
    ['http://SIGN.example/menu', /another short link on this server/],
    ['https://sign.example./menu', /another short link on this server/],
    ['https://sign.example:443/menu', /another short link on this server/],
  ])('%s is refused', (url, reason) => {
    expect(() => check(url)).toThrow(
      expect.objectContaining({
        code: 'invalid_url',
        message: expect.stringMatching(reason),
        details: { param: 'destination_url' },
      }),
    );
  });

  test('a host that is too long for DNS is refused, and at once', () => {
    const letters = Array.from({ length: 4000 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');
    const startMs = performance.now();
    for (const host of ['a'.repeat(300), letters]) {
      expect(() => check(`https://${host}.example/`)).toThrow(/too long/);
    }
    // The parser takes 300 ms to convert such a name to punycode.
    expect(performance.now() - startMs).toBeLessThan(100);
    expect(() => check(`https://${'a.'.repeat(120)}example/`)).not.toThrow();
  });
});
