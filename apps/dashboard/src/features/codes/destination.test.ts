import { expect, test } from 'vitest';
import { destinationFault, withScheme } from './destination.ts';

test('https:// is put in front of what has no scheme, and of nothing else', () => {
  expect(withScheme('example.com/menu')).toBe('https://example.com/menu');
  expect(withScheme(' example.com ')).toBe('https://example.com');
  expect(withScheme('localhost:8080/x')).toBe('https://localhost:8080/x');
  expect(withScheme('http://example.com')).toBe('http://example.com');
  expect(withScheme('HTTPS://example.com')).toBe('HTTPS://example.com');
  expect(withScheme('mailto:a@example.com')).toBe('mailto:a@example.com');
  expect(withScheme('')).toBe('');
});

test('a destination is a complete web address', () => {
  for (const good of ['https://example.com/menu', 'example.com', 'http://example.com:8080/?a=b#c'])
    expect(destinationFault(good)).toBeNull();
  expect(destinationFault('')).toBe('Enter a destination');
  expect(destinationFault('mailto:a@example.com')).toContain('https://');
  for (const bad of ['https://', '/menu', 'https://exa mple.com', 'two words'])
    expect(destinationFault(bad)).not.toBeNull();
});
