import { describe, expect, test } from 'vitest';
import { typeOf } from './schema-type.ts';
import { sdkSource } from './sdk.ts';

describe('a schema as a type', () => {
  test.each([
    [{ type: 'string', pattern: 'a' }, 'string'],
    [{ type: 'integer', minimum: 0 }, 'number'],
    [{ type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
    [{ type: 'boolean', const: true }, 'true'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ $ref: '#/components/schemas/Error' }, 'ErrorBody'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, 'readonly ("a" | "b")[]'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, 'Readonly<Record<string, number>>'],
    [{ type: 'object', additionalProperties: true }, 'Readonly<Record<string, unknown>>'],
    [{ description: 'anything' }, 'unknown'],
  ])('%j is %s', (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  test('an optional field may be left out or undefined', () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string' }, 'b-c': { type: 'number' } },
    };
    expect(typeOf(schema)).toBe('{\n  readonly a: string;\n  readonly "b-c"?: number | undefined;\n}');
  });

  test('of two fields one must be there', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    };
    expect(typeOf(schema)).toMatch(/\} & \(\{ readonly a: string \} \| \{ readonly b: string \}\)$/);
  });

  test('what it cannot say is refused', () => {
    expect(() => typeOf({ type: 'date' })).toThrow('No type is known');
    expect(() => typeOf({ not: {} } as object)).toThrow('No type is known');
  });
});

describe('an operation', () => {
  const success = (schema: object, type = 'application/json') => ({
    200: { content: { [type]: { schema } } },
  });
  const document = (operation: object, method = 'get') =>
    sdkSource({
      paths: {
        '/v1/things/{id}': {
          [method]: { operationId: 'doIt', summary: 'Do it', parameters: [], ...operation },
        },
      },
      components: { schemas: {} },
    } as never);
  const list = { type: 'object', properties: { data: { type: 'array', items: {} }, pagination: {} } };

  test.each([
    ['an answer with data and pagination is a page', success(list), 'page'],
    ['an answer of JSON is json', success({ type: 'object' }), 'json'],
    ['an answer of bytes is a file', success({ type: 'string', format: 'binary' }, 'image/png'), 'file'],
    [
      'also one that may be JSON',
      {
        200: { content: { 'text/csv': { schema: {} }, 'application/json': { schema: { type: 'object' } } } },
      },
      'file',
    ],
    ['also bytes that say JSON', success({ type: 'string', format: 'binary' }), 'file'],
  ])('%s', (_, responses, kind) => {
    expect(document({ responses })).toContain(`answer: '${kind}' }`);
  });

  test('takes a query or a body, and says so when it has both', () => {
    const parameters = [{ name: 'page', in: 'query', required: false, schema: { type: 'integer' } }];
    const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } };
    const responses = success({ type: 'object' });
    expect(document({ parameters, responses })).toContain("input: 'query', query: ['page'],");
    expect(document({ requestBody, responses }, 'post')).toContain(
      "method: 'POST', path: '/v1/things/{id}', input: 'body', query: [],",
    );
    expect(() => document({ parameters, requestBody, responses })).toThrow('doIt has a body and a query');
  });
});
