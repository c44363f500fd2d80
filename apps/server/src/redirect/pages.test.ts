import { describe, expect, test } from 'vitest';
import { pages, prefersJson } from './pages.ts';

describe('the pages of a short link', () => {
  test.each([
    ['paused', 404],
    ['unknown', 404],
    ['deleted', 410],
    ['busy', 429],
    ['unavailable', 503],
  ] as const)('%s answers %i', (kind, status) => {
    expect(pages[kind].status).toBe(status);
    expect(JSON.parse(pages[kind].json).error).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
    });
  });

  test('load nothing and run nothing', () => {
    for (const { html, policy } of Object.values(pages)) {
      expect(html).not.toMatch(/<script|src=|href=|url\(|http/i);
      expect(policy).toContain("default-src 'none'");
    }
  });

  test('of a paused code says so, and of an unknown one says nothing of drafts', () => {
    expect(pages.paused.html).toMatch(/paused/);
    expect(pages.unknown.html).not.toMatch(/draft/i);
  });
});

describe('JSON is answered', () => {
  test.each([
    ['application/json', true],
    ['application/json, text/html;q=0.5', true],
    ['text/html, application/json;q=0.9', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['*/*', false],
    ['application/*', true],
    ['text/html;q=0, */*', true],
    ['', false],
    [undefined, false],
  ])('to Accept: %s — %s', (accept, json) => {
    expect(prefersJson(accept)).toBe(json);
  });
});
