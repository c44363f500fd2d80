import { expect, test } from 'vitest';
import { defaultDomain, shownLink, toShortBase } from './short-base.ts';

const domain = (host: string, more = {}) => ({
  host,
  status: 'active' as const,
  is_default: false,
  ...more,
});

test('a domain has the scheme and the port of the service', () => {
  expect(toShortBase('go.brand.example', 'https://sign.example')).toBe('https://go.brand.example');
  expect(toShortBase('go.brand.example', 'http://sign.example:8080/s')).toBe('http://go.brand.example:8080');
  expect(toShortBase('', 'https://sign.example/s')).toBe('https://sign.example/s');
});

test('new codes start with the default domain, never with one that is not connected', () => {
  const other = domain('a.example');
  expect(defaultDomain([other, domain('b.example', { is_default: true })])).toBe('b.example');
  expect(defaultDomain([other])).toBe('');
  expect(defaultDomain([domain('b.example', { is_default: true, status: 'released' })])).toBe('');
});

test('lists show the path of a link, and its host where it is not that of the service', () => {
  expect(shownLink('https://sign.example/menu', 'https://sign.example')).toBe('/menu');
  expect(shownLink('https://sign.example/t/abc/menu', 'https://sign.example')).toBe('/t/abc/menu');
  expect(shownLink('https://go.brand.example/menu', 'https://sign.example')).toBe('go.brand.example/menu');
});
