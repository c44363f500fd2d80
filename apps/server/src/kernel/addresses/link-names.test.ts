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
    'https://sign.example/menu-7.window',
    'sign.example/menu-7.window+',
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
    // A host by itself: not a link with a placement.
    'menu-7.example',
  ])('%s is none', link => expect(keyOf(link)).toBeNull());

  test('a base URL with a path and a port matches only with both', () => {
    const withPath = 'http://localhost:8081/go';
    expect(keyOf('http://localhost:8081/go/menu-7', withPath)).toBe('menu-7');
    expect(keyOf('localhost:8081/go/menu-7', withPath)).toBe('menu-7');
    for (const link of ['http://localhost:8081/menu-7', 'http://localhost/go/menu-7'])
      expect(keyOf(link, withPath)).toBeNull();
  });
});

describe('a link on a domain as users paste it', () => {
  const find = (link: string, base = 'https://sign.example') => createLinkNames(base).parseOnDomain(link);

  test.each([
    'https://go.brand.example/Menu-7',
    'go.brand.example/menu-7',
    'GO.brand.example./menu-7+',
    'http://go.brand.example:8443/menu-7?x=1',
    'https://go.brand.example/menu-7.window',
    'go.brand.example/menu-7.window+',
  ])('%s is one', link => expect(find(link)).toEqual({ host: 'go.brand.example', key: 'menu-7' }));

  test('as it is named by a preview is one, also where the service has a port', () => {
    const withPort = 'https://sign.example:8443';
    const onDomain = { host: 'go.brand.example', key: 'menu-7' };
    expect(find('go.brand.example/menu-7', withPort)).toEqual(onDomain);
    expect(find('https://go.brand.example:8443/menu-7', withPort)).toEqual(onDomain);
  });

  test.each([
    '',
    'menu-7',
    'https://sign.example/menu-7',
    'https://go.brand.example/',
    'https://go.brand.example/t/bcdfghjk/menu-7',
    'https://go.brand.example/d/bcdfghjk/menu-7',
    'localhost/menu-7',
  ])('%s is none', link => expect(find(link)).toBeNull());
});
