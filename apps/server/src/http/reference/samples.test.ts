import { stripTypeScriptTypes } from 'node:module';
import { openApiDocument } from '@signpost/contract';
import { Signpost } from '@signpost/sdk';
import { expect, test } from 'vitest';
import { listEndpoints } from './openapi.ts';
import { writeSamples } from './samples.ts';
import { literal } from './typescript-literal.ts';

const url = 'https://qr.example';
const endpoints = listEndpoints(openApiDocument(url));

type Sent = { readonly method: string; readonly path: string; readonly body: unknown };

/** Runs a sample with an SDK that sends nothing, and gives what it would have sent. */
async function sentBy(source: string): Promise<Sent> {
  const sent: Sent[] = [];
  class Recorder extends Signpost {
    constructor(options: ConstructorParameters<typeof Signpost>[0]) {
      const record = async (input: string | URL | Request, init: RequestInit = {}) => {
        const { pathname, search } = new URL(String(input instanceof Request ? input.url : input));
        const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
        sent.push({ method: init.method ?? 'GET', path: pathname + search, body });
        return Response.json({
          data: [],
          pagination: { page: 1, limit: 20, total: 0, total_pages: 0, has_more: false },
        });
      };
      super({ ...options, apiKey: 'sk_test_x', fetch: record as typeof fetch });
    }
  }
  const script = stripTypeScriptTypes(source).replaceAll(/^import .*$/gm, '');
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...values: unknown[]) => Promise<void>;
  const run = new AsyncFunction('Signpost', 'writeFile', 'console', script);
  await run(Recorder, async () => {}, { log: () => {} });
  return sent[0]!;
}

const sampleOf = (id: string, label: string) => {
  const endpoint = endpoints.find(({ operationId }) => operationId === id)!;
  return writeSamples(endpoint, url).find(sample => sample.label === label)!.source;
};

test.each(endpoints)('the sample in TypeScript of $operationId sends that operation', async endpoint => {
  const { operationId, method, path } = endpoint;
  const sent = await sentBy(sampleOf(operationId, 'TypeScript'));
  const isAlias = operationId === 'getAnalyticsOfQrCode';
  const expected = isAlias ? endpoints.find(other => other.operationId === 'getAnalytics')!.path : path;
  expect(sent.method).toBe(method);
  expect(sent.path.replace(/\?.*/, '')).toMatch(
    new RegExp(`^${expected.replaceAll(/\{\w+\}/g, '[\\w%-]+')}$`),
  );
});

test('the samples of one operation send the same', async () => {
  const curl = sampleOf('createQrCode', 'curl');
  const [, body = ''] = /-d '([\s\S]*)'$/.exec(curl) ?? [];
  const sent = await sentBy(sampleOf('createQrCode', 'TypeScript'));
  expect(sent.body).toEqual(JSON.parse(body));
  expect(curl).toContain(`curl ${url}${sent.path} \\\n`);
});

test('a call by curl names the method only where curl would choose another', () => {
  expect(sampleOf('listQrCodes', 'curl')).not.toContain('-X');
  expect(sampleOf('createQrCode', 'curl')).not.toContain('-X');
  expect(sampleOf('updateQrCode', 'curl')).toContain('-X PATCH');
  expect(sampleOf('testWebhook', 'curl')).toContain('-X POST');
});

test('a file is saved, and an operation without a key is called without one', () => {
  expect(sampleOf('downloadQrCode', 'curl')).toMatch(/format=svg.* -o code\.svg$/s);
  expect(sampleOf('downloadQrCode', 'TypeScript')).toContain(`await writeFile('code.svg'`);
  expect(sampleOf('exportScans', 'curl')).toMatch(/ -o scans\.(csv|json)$/);
  expect(sampleOf('getOpenApi', 'curl')).toBe(`curl ${url}/v1/openapi.json`);
});

test.each([
  ['it\'s "here"\n', `'it\\'s "here"\\n'`],
  [{ a: 1, 'b-c': [true, null] }, `{ a: 1, 'b-c': [true, null] }`],
  [{ items: ['x'.repeat(60)] }, `{\n  items: [\n    '${'x'.repeat(60)}',\n  ],\n}`],
  [[], '[]'],
])('%j is written as TypeScript', (value, text) => {
  expect(literal(value)).toBe(text);
});
