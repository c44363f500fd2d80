import { describe, expect, test } from 'vitest';
import {
  countryName,
  formatAgo,
  formatCompact,
  formatNumber,
  formatShare,
  nameOfAgent,
  placeName,
  shownPath,
  shownUrl,
} from './format.ts';

describe('figures', () => {
  test('large numbers have the separators of the language', () => {
    expect(formatNumber(1_234_567, 'en')).toBe('1,234,567');
    expect(formatNumber(1_234_567, 'de')).toBe('1.234.567');
    expect(formatNumber(12.34, 'en')).toBe('12.3');
  });

  test('axes have short numbers', () => {
    expect(formatCompact(1_200, 'en')).toBe('1.2K');
    expect(formatCompact(12, 'en')).toBe('12');
  });

  test('a share of nothing is no number', () => {
    expect(formatShare(0, 0, 'en')).toBe('–');
    expect(formatShare(1, 3, 'en')).toBe('33%');
    expect(formatShare(1, 80, 'en')).toBe('1.3%');
  });
});

describe('times', () => {
  const now = new Date('2026-11-15T12:00:00Z');

  test('the age of a thing is told in the largest unit that fits', () => {
    expect(formatAgo('2026-11-15T11:59:30Z', now, 'en')).toBe('just now');
    expect(formatAgo('2026-11-15T11:55:00Z', now, 'en')).toBe('5 minutes ago');
    expect(formatAgo('2026-11-14T11:00:00Z', now, 'en')).toBe('yesterday');
    expect(formatAgo('2026-08-01T00:00:00Z', now, 'en')).toBe('3 months ago');
  });
});

describe('places, devices and addresses', () => {
  test('an unknown place is called so', () => {
    expect(countryName('XX')).toBe('Unknown');
    expect(countryName('')).toBe('Unknown');
    expect(placeName({ city: '', country: 'XX' })).toBe('Unknown');
  });

  test('a place is a city and its country', () => {
    expect(placeName({ city: 'Lyon', country: 'FR' })).toBe('Lyon, France');
    expect(placeName({ city: '', country: 'FR' })).toBe('France');
  });

  test('words of the API become names, and a new word is shown as it is', () => {
    expect(nameOfAgent('samsung_browser')).toBe('Samsung Internet');
    expect(nameOfAgent('toaster')).toBe('toaster');
  });

  test('an address is shown without scheme and last slash', () => {
    expect(shownUrl('https://example.com/')).toBe('example.com');
    expect(shownUrl('http://example.com/menu?x=1')).toBe('example.com/menu?x=1');
  });

  test('a short link is shown by its path', () => {
    expect(shownPath('https://go.example:8080/menu')).toBe('/menu');
    expect(shownPath('https://go.example/t/bcdfghjk/menu')).toBe('/t/bcdfghjk/menu');
  });
});
