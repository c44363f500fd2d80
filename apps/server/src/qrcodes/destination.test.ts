import { describe, expect, test } from 'vitest';
import { checkDestination } from './destination.ts';

const check = (url: string) => checkDestination(url, 'https://sign.example');

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
    'https://sub.sign.example/x',
    'https://sign.example:8443/x',
    'https://example.com/?next=https://sign.example/abc',
  ])('%s is taken', url => {
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
    ['https://sign.example/menu', /circle/],
    ['http://SIGN.example/menu', /circle/],
    ['https://sign.example./menu', /circle/],
    ['https://sign.example:443/menu', /circle/],
  ])('%s is refused', (url, reason) => {
    expect(() => check(url)).toThrow(
      expect.objectContaining({
        code: 'invalid_url',
        message: expect.stringMatching(reason),
        details: { param: 'destination_url' },
      }),
    );
  });
});
