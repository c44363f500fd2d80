import { expect, test } from 'vitest';
import { toOriginForm } from './absolute-form.ts';

test.each([
  ['/menu', 'sign.example', '/menu'],
  ['//go.example/menu', 'sign.example', '//go.example/menu'],
  ['http://go.example/menu?x=http://other.example/', 'go.example', '/menu?x=http://other.example/'],
  ['HTTPS://GO.example:8443/menu', 'GO.example:8443', '/menu'],
  ['http://go.example', 'go.example', '/'],
  ['http://go.example?x', 'go.example', '/?x'],
  ['http://user@go.example/menu', 'user@go.example', '/menu'],
  ['http:///menu', '', '/menu'],
  ['ftp://go.example/menu', 'sign.example', 'ftp://go.example/menu'],
  ['*', 'sign.example', '*'],
  ['', 'sign.example', ''],
])('the target %j asks %j for %j', (url, host, path) => {
  const request = { url, headers: { host: 'sign.example' } };
  toOriginForm(request);
  expect([request.headers.host, request.url]).toEqual([host, path]);
});
