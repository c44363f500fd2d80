import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { browsers, devices } from '../scan.ts';
import { detectBrowser, detectDevice } from './device.ts';

type Known = { readonly device: string; readonly browser: string; readonly userAgent: string };

const known: readonly Known[] = readFileSync(new URL('user-agents.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
  .map(line => {
    const [device = '', browser = '', userAgent = ''] = line.split('\t');
    return { device, browser, userAgent };
  });

const wrong = (part: 'device' | 'browser', of: (userAgent: string) => string) =>
  known
    .filter(entry => of(entry.userAgent) !== entry[part])
    .map(entry => `${of(entry.userAgent)} instead of ${entry[part]}: ${entry.userAgent}`);

describe('who is scanning', () => {
  test('every known user agent has the right device', () => {
    expect(wrong('device', detectDevice)).toEqual([]);
  });

  test('every known user agent has the right browser', () => {
    expect(wrong('browser', detectBrowser)).toEqual([]);
  });

  test('at least 300 user agents are known, no two alike, with every device and browser among them', () => {
    expect(new Set(known.map(entry => entry.userAgent)).size).toBe(known.length);
    expect(known.length).toBeGreaterThanOrEqual(300);
    expect(new Set(known.map(entry => entry.device))).toEqual(new Set(devices));
    expect(new Set(known.map(entry => entry.browser))).toEqual(new Set(browsers));
  });

  test('a user agent is read to its 512th character and no further', () => {
    const padding = 'x'.repeat(505);
    expect(detectDevice(`${padding}Android`)).toBe('android');
    expect(detectDevice(`${padding} Android`)).toBe('other');
    expect(detectBrowser(`${padding} Firefox/`)).toBe('other');
  });

  test('a malicious user agent of 16 KiB costs no more than one of 512 characters', () => {
    const hostile = ['Version/', 'Windows ', '(((((((', 'Chrome', '; ; ; ; '].map(part => part.repeat(2048));
    const start = performance.now();
    for (let i = 0; i < 1000; i++) {
      for (const userAgent of hostile) {
        detectDevice(userAgent);
        detectBrowser(userAgent);
      }
    }
    // 5,000 take some 200 ms; reading all 16 KiB would take 32 times as long.
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
