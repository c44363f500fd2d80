import { type ErrorCode, errorTable } from '@signpost/contract';
import { describe, expect, test } from 'vitest';
import { presentError } from '../http/errors.ts';
import { createPages, type Page, prefersJson } from './pages.ts';

const pages = createPages((error, id) => presentError(error, id, 'https://qr.example'));
const requestId = 'req_01k9z3w8fdm5v7c2n4s6t8r0xb';
const filled = ({ before, after }: Page['json']) => before + requestId + after;

describe('the pages of a short link', () => {
  test.each([
    ['paused', 404],
    ['unknown', 404],
    ['deleted', 410],
    ['busy', 429],
    ['unavailable', 503],
    ['not_allowed', 405],
  ] as const)('%s answers %i, as JSON with the error object of the API', (kind, status) => {
    expect(pages[kind].status).toBe(status);
    const { error } = JSON.parse(filled(pages[kind].json));
    expect(error).toEqual({
      code: expect.any(String),
      message: expect.stringMatching(/^[A-Z].*\.$/),
      request_id: requestId,
      doc_url: `https://qr.example/docs#error-${error.code}`,
    });
    expect(errorTable[error.code as ErrorCode].status).toBe(status);
  });

  test('show the request id in small print, and have the length that they say', () => {
    for (const { html, json } of Object.values(pages)) {
      expect(filled(html)).toContain(`<small>Reference: ${requestId}</small>`);
      for (const body of [html, json]) expect(Buffer.byteLength(filled(body))).toBe(body.bytes);
    }
  });

  test('load nothing and run nothing', () => {
    for (const { html, policy } of Object.values(pages)) {
      expect(filled(html)).not.toMatch(/<script|src=|href=|url\(|http/i);
      expect(policy).toContain("default-src 'none'");
    }
  });

  test('of a paused code says so, and of an unknown one says nothing of drafts', () => {
    expect(filled(pages.paused.html)).toMatch(/paused/);
    expect(filled(pages.unknown.html)).not.toMatch(/draft/i);
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
