import { describe, expect, test } from 'vitest';
import { codeFaults, destinationFault, previewLink } from './new-code.ts';

describe('the form of a new code', () => {
  test('a destination is a whole web address', () => {
    expect(destinationFault('https://example.com/menu')).toBeNull();
    expect(destinationFault('')).toBe('Say where the code leads');
    expect(destinationFault('example.com')).toContain('https://');
    expect(destinationFault('https://')).not.toBeNull();
    expect(destinationFault('https://exa mple.com')).not.toBeNull();
  });

  test('a short code may be left empty, and else has the form that the API takes', () => {
    expect(codeFaults.short_code('')).toBeNull();
    expect(codeFaults.short_code('spring-menu')).toBeNull();
    for (const bad of ['ab', '-abc', 'abc-', 'a b c', 'x'.repeat(65)])
      expect(codeFaults.short_code(bad)).not.toBeNull();
  });

  test('the preview encodes a link of the real length', () => {
    expect(previewLink('', 'https://go.example')).toBe('https://go.example/bcdfghjk');
    expect(previewLink('menu', 'https://go.example')).toBe('https://go.example/menu');
  });
});
