import { type ErrorCode, errorTable } from '@signpost/contract';
import { describe, expect, test } from 'vitest';
import { presentError } from '../http/errors.ts';
import { languages, languageTags } from '../http/pages/language.ts';
import { createPages, fillIn, type Page, prefersJson } from './pages.ts';

const pages = createPages((error, id) => presentError(error, id, 'https://qr.example'));
const requestId = 'req_01k9z3w8fdm5v7c2n4s6t8r0xb';
const filled = (body: Page['json']) => fillIn(body, requestId).toString();
const htmlBodies = Object.values(pages).flatMap(({ html }) => Object.values(html));

describe('the pages of a short link', () => {
  test.each([
    ['paused', 404, 'paused'],
    ['not_begun', 404, 'not_begun'],
    ['ended', 404, 'ended'],
    ['stopped', 404, 'suspended'],
    ['held', 404, 'held'],
    ['unknown', 404, 'unknown'],
    ['deleted', 410, 'deleted'],
    ['busy', 429, undefined],
    ['unavailable', 503, undefined],
    ['not_allowed', 405, undefined],
  ] as const)(
    '%s answers %i, as JSON with the error object of the API and the reason %s',
    (kind, status, reason) => {
      expect(pages[kind].status).toBe(status);
      const { error } = JSON.parse(filled(pages[kind].json));
      expect(error).toEqual({
        code: expect.any(String),
        message: expect.stringMatching(/^[A-Z].*\.$/),
        ...(reason === undefined ? {} : { reason }),
        request_id: requestId,
        doc_url: `https://qr.example/docs#error-${error.code}`,
      });
      expect(errorTable[error.code as ErrorCode].status).toBe(status);
    },
  );

  test('show the request id in small print, and have the stated length', () => {
    for (const { html, json } of Object.values(pages)) {
      expect(filled(html.en)).toContain(`<small>Reference: ${requestId}</small>`);
      for (const body of [json, ...Object.values(html)]) {
        expect(filled(body)).toContain(requestId);
        expect(Buffer.byteLength(filled(body))).toBe(body.headers['content-length']);
      }
    }
  });

  test('load nothing and run no script', () => {
    for (const body of htmlBodies) {
      expect(filled(body)).not.toMatch(/<script|src=|href=|url\(|http/i);
      expect(body.headers['content-security-policy']).toContain("default-src 'none'");
    }
  });

  test('are the same for everybody who reads a language: filling one in leaves no trace', () => {
    filled(pages.paused.html.de);
    expect(pages.paused.html.de.bytes.toString()).not.toContain(requestId);
  });

  test.each(languages)('name their language and what they depend on: %s', language => {
    for (const { html } of Object.values(pages)) {
      const { bytes, headers } = html[language];
      expect(bytes.toString()).toContain(`<html lang="${languageTags[language]}" dir="ltr">`);
      expect(headers).toMatchObject({
        'content-language': languageTags[language],
        vary: 'Accept, Accept-Language',
        'cache-control': 'no-store',
      });
    }
  });

  test('of a paused code says so, and of an unknown code does not mention drafts', () => {
    expect(filled(pages.paused.html.en)).toMatch(/paused/);
    expect(filled(pages.unknown.html.en)).not.toMatch(/draft/i);
  });
});

describe('JSON is returned', () => {
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
