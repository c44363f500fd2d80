import { describe, expect, test } from 'vitest';
import { previewLink, shortCodeFault } from './new-code.ts';

describe('the form of a new code', () => {
  test('a link ending may be left empty, and else has the form that the API takes', () => {
    const fault = shortCodeFault(3);
    for (const good of ['', 'abc', 'spring-menu']) expect(fault(good)).toBeNull();
    for (const bad of ['ab', '-abc', 'abc-', 'a b c', 'x'.repeat(65)])
      expect(fault(bad)).toContain('3 to 64');
    expect(shortCodeFault(6)('abcde')).toContain('6 to 64');
    expect(shortCodeFault(6)('abcdef')).toBeNull();
  });

  test('the preview encodes a link of the real length', () => {
    expect(previewLink('', 'https://go.example')).toBe('https://go.example/bcdfghjk');
    expect(previewLink('menu', 'https://go.example')).toBe('https://go.example/menu');
    expect(previewLink('menu', 'https://go.example/t/bcdfghjk')).toBe('https://go.example/t/bcdfghjk/menu');
  });
});
