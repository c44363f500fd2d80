import { describe, expect, test } from 'vitest';
import { typeOf } from './schema-type.ts';
import { sdkSource } from './sdk.ts';
import { withoutCompatibility } from './sdk-document.ts';
import { methodsSource } from './sdk-methods.ts';

describe('a schema as a type', () => {
  test.each([
    [{ type: 'string', pattern: 'a' }, 'string'],
    [{ type: 'integer', minimum: 0 }, 'number'],
    [{ type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
    [{ type: 'string', 'x-extensible-enum': ['a', 'b'] }, '"a" | "b" | (string & {})'],
    [{ type: ['string', 'null'], 'x-extensible-enum': ['a'] }, '"a" | (string & {}) | null'],
    [{ type: 'boolean', const: true }, 'true'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ $ref: '#/components/schemas/Error' }, 'ErrorBody'],
    [{ type: 'array', items: { type: 'string' } }, 'readonly string[]'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, 'ReadonlyArray<"a" | "b">'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    [{ anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'string' }] }, '"a" | "b" | (string & {})'],
    [
      { type: 'array', items: { anyOf: [{ const: 'a' }, { type: 'string' }] } },
      'ReadonlyArray<"a" | (string & {})>',
    ],
    [{ oneOf: [{ $ref: '#/x/A' }, { $ref: '#/x/B' }], discriminator: { propertyName: 'status' } }, 'A | B'],
    [{ allOf: [{ $ref: '#/x/A' }, { anyOf: [{ $ref: '#/x/B' }, { $ref: '#/x/C' }] }] }, 'A & (B | C)'],
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

  test('of objects in a list that differ by a constant, each keeps its own fields', () => {
    const variant = (status: string, field: string) => ({
      type: 'object',
      required: ['status', field],
      properties: { status: { type: 'string', const: status }, [field]: { type: 'string' } },
    });
    const items = { anyOf: [variant('created', 'id'), variant('failed', 'error')] };
    expect(typeOf({ type: 'array', items }).replaceAll(/\s+/g, ' ')).toBe(
      'ReadonlyArray<{ readonly status: "created"; readonly id: string; } | { readonly status: "failed"; readonly error: string; }>',
    );
  });

  test('of two fields one is required', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    };
    expect(typeOf(schema)).toMatch(/\} & \(\{ readonly a: string \} \| \{ readonly b: string \}\)$/);
  });

  test('an unknown construct is refused', () => {
    expect(() => typeOf({ type: 'date' })).toThrow('No type is known');
    expect(() => typeOf({ not: {} } as object)).toThrow('No type is known');
  });
});

const CreateQrCode = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    destination_url: { type: 'string' },
    destination: { type: 'string' },
    type: { type: 'string' },
  },
  required: ['name'],
  anyOf: [{ required: ['destination_url'] }, { required: ['destination'] }],
};

const documentWith = (operation: object, method = 'get') =>
  ({
    paths: {
      '/v1/things/{id}': {
        [method]: { operationId: 'doIt', summary: 'Do it', parameters: [], ...operation },
      },
    },
    components: { schemas: { CreateQrCode } },
  }) as never;

const success = (schema: object, type = 'application/json') => ({
  200: { content: { [type]: { schema } } },
});

describe('what the API accepts for compatibility', () => {
  test('is not in the SDK, and the field that stays is required', () => {
    const { paths, components } = withoutCompatibility(
      documentWith({ operationId: 'getAnalyticsOfQrCode', responses: success({ type: 'object' }) }),
    );
    expect(paths['/v1/things/{id}']).toEqual({});
    expect(typeOf(components.schemas.CreateQrCode!)).toBe(
      '{\n  readonly name: string;\n  readonly destination_url: string;\n}',
    );
  });

  test('must be there: a list of fields that are gone is out of date', () => {
    const fields = { CreateQrCode: ['target'] };
    expect(() => withoutCompatibility(documentWith({}), { operations: [], fields })).toThrow('target');
  });
});

describe('a method', () => {
  const id = { name: 'id', in: 'path', required: true, schema: {}, example: 'qr_1' };
  const names = { things: { get: 'doIt' } };

  test('has a signature, a description and an example', () => {
    const query = ['page', 'limit'].map(name => ({ name, in: 'query', schema: {}, example: 20 }));
    const source = methodsSource(
      documentWith({
        description: 'It does */ it.',
        parameters: [id, ...query],
        responses: success({ type: 'object' }),
      }),
      names,
    );
    expect(source).toContain('get(id: string, params?: DoItQuery, options?: RequestOptions): ApiPromise<');
    expect(source).toContain('   * It does *\\/ it.\n');
    expect(source).toContain("const answer = await signpost.things.get('qr_1', { limit: 20 });");
    expect(source).toContain("things: {\n    get: 'doIt',\n  }");
  });

  test('shows the body that the document shows', () => {
    const content = { schema: { $ref: '#/x/CreateQrCode' }, example: { name: "Anna's menu", tags: ['a'] } };
    const source = methodsSource(
      documentWith({
        parameters: [id],
        requestBody: { required: true, content: { 'application/json': content } },
        responses: success({ type: 'object' }),
      }),
      names,
    );
    expect(source).toContain("signpost.things.get('qr_1', { name: 'Anna\\'s menu', tags: ['a'] });");
  });

  test('without an example in the document is not generated', () => {
    const { example: _, ...bare } = id;
    const responses = success({ type: 'object' });
    const content = { 'application/json': { schema: { type: 'object' } } };
    expect(() => methodsSource(documentWith({ parameters: [bare], responses }), names)).toThrow(
      'doIt has no example for id',
    );
    expect(() => methodsSource(documentWith({ requestBody: { content }, responses }), names)).toThrow(
      'doIt has no example for the body',
    );
  });

  test('is missing for no operation, and there is none without an operation', () => {
    const document = documentWith({ responses: success({ type: 'object' }) });
    expect(() => methodsSource(document, {})).toThrow('doIt');
    expect(() => methodsSource(document, { ...names, others: { get: 'getOther' } })).toThrow('getOther');
  });
});

describe('an operation', () => {
  const document = (operation: object, method = 'get') => sdkSource(documentWith(operation, method), '1.2.3');
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

  test('takes a query or a body, and fails when it has both', () => {
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
