import { describe, expect, test } from 'vitest';
import { createLinkNames } from './link-names.ts';

const keyOf = (link: string, base = 'https://sign.example') => createLinkNames(base).parseKey(link);

describe('a short link as users paste it', () => {
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
  ])('%s is none', link => expect(keyOf(link)).toBeNull());

  test('a base URL with a path and a port matches only with both', () => {
    const withPath = 'http://localhost:8081/go';
    expect(keyOf('http://localhost:8081/go/menu-7', withPath)).toBe('menu-7');
    expect(keyOf('localhost:8081/go/menu-7', withPath)).toBe('menu-7');
    for (const link of ['http://localhost:8081/menu-7', 'http://localhost/go/menu-7'])
      expect(keyOf(link, withPath)).toBeNull();
  });
});
