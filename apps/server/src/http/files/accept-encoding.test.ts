import { expect, test } from 'vitest';
import { chooseEncoding } from './accept-encoding.ts';

test.each([
  ['gzip', 'gzip', false],
  ['br', 'br', false],
  ['gzip, br', 'br', false],
  ['gzip, deflate, br, zstd', 'br', false],
  ['GZIP', 'gzip', false],
  ['br;q=0.5, gzip;q=0.8', 'gzip', false],
  ['br;q=0, gzip', 'gzip', false],
  ['gzip;q=0', null, false],
  ['gzip ; q=0.001', 'gzip', false],
  ['*', 'br', false],
  ['br;q=0, *', 'gzip', false],
  ['*;q=0', null, false],
  ['gzip, *;q=0', 'gzip', true],
  ['identity', null, false],
  ['identity, gzip', 'gzip', false],
  ['identity, gzip;q=0.5', null, false],
  ['identity;q=0.2, gzip;q=0.5', 'gzip', false],
  ['identity;q=0', null, false],
  ['identity;q=0, gzip', 'gzip', true],
  ['identity;q=0, *', 'br', true],
  ['identity;q=0, deflate', null, false],
  ['deflate, zstd', null, false],
  ['gzip;q=2', null, false],
  ['gzip;q=', null, false],
  ['gzip;level=9', null, false],
  ['', null, false],
  [`${'x,'.repeat(10_000)}gzip`, null, false],
])('Accept-Encoding: %.60s — %s, and must be: %s', (header, encoding, isRequired) => {
  expect(chooseEncoding(header)).toEqual({ encoding, isRequired });
});
