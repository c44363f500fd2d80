import { expect, test } from 'vitest';
import { createLinkNames } from '../../kernel/addresses/link-names.ts';
import { parseCodeQuery } from './code-query.ts';

const linkNames = createLinkNames('https://sign.example/s');

test.each([
  ['Menu-1', { key: 'menu-1' }],
  ['/menu-1', { key: 'menu-1' }],
  ['t/bcdfghjk/Menu-1', { key: 't/bcdfghjk/menu-1' }],
  ['https://sign.example/s/Menu-1', { key: 'menu-1' }],
  ['http://SIGN.example/s/menu-1?utm=1#x', { key: 'menu-1' }],
  ['sign.example/s/menu-1+', { key: 'menu-1' }],
  ['https://sign.example/s/t/bcdfghjk/menu-1/', { key: 't/bcdfghjk/menu-1' }],
  [' https://Evil.example./login?x ', { host: 'evil.example' }],
  ['evil.example', { host: 'evil.example' }],
  ['https://bücher.example', { host: 'xn--bcher-kva.example' }],
  ['https://sign.example/elsewhere', { host: 'sign.example' }],
  ['192.0.2.7:8080/x', { host: '192.0.2.7' }],
  ['https://sign.example./s/menu-1%2B', { key: 'menu-1' }],
  ['https://sign.example/s/', null],
  ['https://sign.example/s/a/b/c', null],
  ['ab', null],
  ['https://', null],
  ['', null],
])('%s is read as %o', (text, query) => {
  expect(parseCodeQuery(text, linkNames)).toEqual(query);
});
