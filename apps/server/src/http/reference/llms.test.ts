import { openApiDocument, operations } from '@signpost/contract';
import { expect, test } from 'vitest';
import { referenceDocument } from './document.ts';
import { llmsFullTxt, llmsTxt } from './llms.ts';
import { listEndpoints } from './openapi.ts';

const url = 'https://qr.example';
const document = openApiDocument(url);
const text = llmsTxt(document, url);

test.each(Object.values(operations))('$id is one line of llms.txt, with its address', operation => {
  const { id, method, path, summary } = operation;
  expect(text).toContain(`\n- [${summary}](${url}/docs#${id}): \`${method} ${path}\`\n`);
});

test('llms.txt says what it is, where, with which key, and where the rest is', () => {
  expect(text).toMatch(/^# Signpost API\n\n> .+\n/);
  for (const part of [`Base URL: ${url}`, 'sk_test_', `${url}/v1/openapi.json`, `${url}/docs#webhooks`])
    expect(text).toContain(part);
});

test('llms-full.txt has every chapter and a call of every operation', () => {
  const full = llmsFullTxt(document, url);
  for (const part of ['## Getting started', '### invalid_url', '## Webhooks']) expect(full).toContain(part);
  expect(full.match(/^curl /gm)?.length).toBeGreaterThanOrEqual(Object.keys(operations).length);
});

test('the document of the page has chapters and samples; that of the API stays without', () => {
  const shown = referenceDocument(document, url);
  expect((shown.info as { description: string }).description).toMatch(
    /^# Getting started\n[\s\S]*\n# Errors\n/,
  );
  for (const endpoint of listEndpoints(shown))
    expect(endpoint).toMatchObject({ 'x-codeSamples': [{ label: 'curl' }, { label: 'TypeScript' }] });
  expect(JSON.stringify(document)).not.toMatch(/x-codeSamples|# Getting started/);
});
