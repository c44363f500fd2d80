import { expect, test } from 'vitest';
import { listedUrl, listedUrlHash } from './listed-url.ts';

test.each([
  ['https://Evil.Example:443/a?b=1#part', 'https://evil.example/a?b=1'],
  ['http://evil.example.:80', 'http://evil.example/'],
  ['https://evil.example#', 'https://evil.example/'],
  ['https://bücher.example./x', 'https://xn--bcher-kva.example/x'],
  ['https://evil.example:8443/a/../b', 'https://evil.example:8443/b'],
])('%s is listed as %s', (url, listed) => {
  expect(listedUrl(url)).toBe(listed);
  expect(listedUrlHash(url)).toEqual(listedUrlHash(listed));
});

test('path and query tell URLs apart', () => {
  const urls = [
    'https://evil.example/a',
    'https://evil.example/A',
    'https://evil.example/a?',
    'https://evil.example/a?b',
  ];
  const hashes = urls.map(url => listedUrlHash(url));
  expect(new Set(hashes.map(hash => hash.toString('hex'))).size).toBe(urls.length);
  for (const hash of hashes) expect(hash.length).toBe(16);
});
