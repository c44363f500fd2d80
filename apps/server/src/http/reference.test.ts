import { createHash } from 'node:crypto';
import { errorCodes, openApiDocument, operations } from '@signpost/contract';
import { expect, test } from 'vitest';
import { referencePage, referenceStyleHash } from './reference.ts';

const page = referencePage(openApiDocument('https://qr.example'));

test.each(Object.values(operations))(
  '$id is on the page and in its contents',
  ({ id, method, path, summary }) => {
    expect(page).toContain(`<article class="entry" id="${id}">`);
    expect(page).toContain(`href="#${id}">${summary} <span class="method ${method}">`);
    expect(page).toContain(`<span class="method ${method}">${method}</span> <code>${path}</code>`);
  },
);

test.each(errorCodes)('the error %s has an address of its own', code => {
  expect(page.split(`<tr id="error-${code}">`)).toHaveLength(2);
});

test.each(['authentication', 'modes', 'rate-limits', 'idempotency', 'pagination', 'errors'])(
  '%s has a chapter',
  id => {
    expect(page).toContain(`id="${id}"`);
    expect(page).toContain(`href="#${id}"`);
  },
);

test('every link inside the page leads somewhere, and no address is given twice', () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(match => match[1]);
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(match => match[1]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(links.filter(link => !ids.includes(link))).toEqual([]);
});

test('nothing is loaded and nothing runs', () => {
  expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|base|form)\b/i);
  expect(page).not.toMatch(/\s(src|srcset|style|on\w+)\s*=/i);
  expect(page).not.toMatch(/url\(|@import/i);
  expect(page).not.toMatch(/href="(?!#|\/v1\/)/);
});

test('the hash of the style is that of the style block', () => {
  const block = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
  expect(referenceStyleHash).toBe(`sha256-${createHash('sha256').update(block).digest('base64')}`);
});

test('fields within others are dotted, with their values, limits and what is required', () => {
  expect(page).toContain('<code>style.<wbr>dotsType</code>');
  expect(page).toContain('<code>items[].<wbr>name</code>');
  expect(page).toContain('<code>classy-rounded</code>');
  expect(page).toContain('1 to 255 characters');
  expect(page).toContain('1 to 500 items');
  expect(page).toContain('required (or destination)');
});

test('the example of a request can be pasted into a shell', () => {
  expect(page).toContain('curl -X POST https://qr.example/v1/qrcodes \\\n');
  expect(page).toContain('Authorization: Bearer $SIGNPOST_KEY');
  expect(page).toContain('curl https://qr.example/v1/openapi.json<');
});

test('whatever the document holds is escaped', () => {
  const evil = '<script>alert("x")</script>';
  const operation = {
    operationId: `a"${evil}`,
    tags: [evil],
    summary: evil,
    description: `\`${evil}\``,
    parameters: [
      {
        name: evil,
        in: 'query',
        required: true,
        description: evil,
        schema: { type: 'string', enum: [evil] },
      },
    ],
    requestBody: {
      content: { 'application/json': { schema: { properties: { [evil]: { default: evil } } } } },
    },
    responses: { '200': { description: evil, content: { 'application/json': { schema: { const: evil } } } } },
  };
  const hostile = referencePage({
    info: { title: evil, description: evil },
    servers: [{ url: `https://a'b/${evil}` }],
    paths: { [`/${evil}`]: { post: operation } },
  });
  expect(hostile).not.toContain('<script');
  expect(hostile).not.toContain('"x"');
});
