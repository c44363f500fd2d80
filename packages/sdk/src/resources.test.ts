import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endpoints } from './generated.ts';
import { Signpost } from './index.ts';
import { aliases, resources } from './resources.ts';

const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
const operationIds = Object.values(document.paths)
  .flatMap(methods => Object.values(methods))
  .map(operation => operation.operationId);
const methods = Object.values(resources).flatMap(verbs => Object.values<string>(verbs));

test('every operation of the OpenAPI document has one method', () => {
  expect([...methods, ...Object.keys(aliases)].toSorted()).toEqual(operationIds.toSorted());
  for (const operation of Object.values(aliases)) expect(methods).toContain(operation);
  expect(Object.keys(endpoints).toSorted()).toEqual(operationIds.toSorted());
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
