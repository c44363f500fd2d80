import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endpoints } from './generated.ts';
import { Signpost } from './index.ts';
import { resources } from './methods.ts';

const document = JSON.parse(
  readFileSync(new URL('../../../docs/guides/openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
/** Another path to an operation that has a method. */
const isAlias = (id: string) => id === 'getAnalyticsOfQrCode';
const operationIds = Object.values(document.paths)
  .flatMap(methods => Object.values(methods))
  .map(operation => operation.operationId)
  .filter(id => !isAlias(id));
const methods = Object.values(resources).flatMap(verbs => Object.values<string>(verbs));

test('every operation of the OpenAPI document has one method', () => {
  expect(methods.toSorted()).toEqual(operationIds.toSorted());
  expect(Object.keys(endpoints).toSorted()).toEqual(operationIds.toSorted());
});

test('every method has an example, which calls it', () => {
  const source = readFileSync(new URL('./methods.ts', import.meta.url), 'utf8');
  for (const [name, verbs] of Object.entries(resources)) {
    for (const verb of Object.keys(verbs)) {
      const comments = [...source.matchAll(new RegExp(`/\\*\\*((?:(?!\\*/).)*)\\*/\\s+${verb}\\(`, 'gs'))];
      const own = comments.filter(([, text]) => text!.includes(`signpost.${name}.${verb}(`));
      expect(own, `${name}.${verb}`).toHaveLength(1);
      expect(own[0]![1]).toContain('@example');
    }
  }
});

test('every method of the table is on the client', () => {
  const signpost = new Signpost({ apiKey: 'sk_test_x', baseUrl: 'https://qr.example' });
  for (const [name, verbs] of Object.entries(resources)) {
    const resource = signpost[name as keyof typeof resources];
    expect(resource, name).toMatchObject(
      Object.fromEntries(Object.keys(verbs).map(verb => [verb, expect.any(Function)])),
    );
  }
});
