import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { errorTable } from './errors.ts';
import { openApiDocument } from './openapi.ts';
import { errorsOf, isAnonymous, type Operation, operations } from './operations.ts';
import { operatorPermission, permissions } from './permissions.ts';
import { webhookEventKinds } from './webhooks.ts';

type Json = { readonly [key: string]: unknown };

const serverUrl = 'https://api.signpost.example';
// As a reader gets it: what JSON cannot carry is gone.
const document = JSON.parse(JSON.stringify(openApiDocument(serverUrl)));

const ajv = addFormats.default(
  new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true }),
);
// The document as a whole is no schema: its own words are left alone, and references into it resolve.
ajv.addVocabulary(['openapi', 'info', 'servers', 'tags', 'paths', 'webhooks', 'components', 'security']);
ajv.addVocabulary(['x-fixed', 'x-extensible-enum', 'discriminator']);
ajv.addSchema({ $id: 'document', ...document });

const described: [string, Operation, Json][] = Object.values<Operation>(operations).map(operation => [
  operation.id,
  operation,
  document.paths[operation.path]?.[operation.method.toLowerCase()],
]);

describe('the document', () => {
  test('has the structure of OpenAPI 3.1', () => {
    const validate = ajv.compile(structure);
    expect(validate(document), ajv.errorsText(validate.errors, { separator: '\n' })).toBe(true);
  });

  test('has the version of the release', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(document.info.version).toBe(version);
  });

  test('a document without a needed part is found out', () => {
    const validate = ajv.compile(structure);
    const breaches: ((copy: typeof document) => void)[] = [
      copy => delete copy.info.title,
      copy => delete copy.paths['/v1/qrcodes'].get.operationId,
      copy => delete copy.paths['/v1/qrcodes'].get.responses['200'].description,
      copy => delete copy.components.responses.NotFound.description,
      copy => delete copy.webhooks['scan.created'].post.responses,
      copy => delete copy.paths['/v1/qrcodes/{id}'].get.parameters[0].required,
      copy => delete copy.paths['/v1/qrcodes'].post.requestBody.content['application/json'].schema,
    ];
    for (const breach of breaches) {
      const copy = structuredClone(document);
      breach(copy);
      expect(validate(copy), String(breach)).toBe(false);
    }
  });

  test('every reference leads somewhere', () => {
    const references = nodes(document).flatMap(node => (typeof node.$ref === 'string' ? [node.$ref] : []));
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) expect(at(reference), reference).toBeTypeOf('object');
  });

  test('every component is used', () => {
    const used = new Set(nodes(document).map(node => node.$ref));
    for (const kind of ['schemas', 'headers', 'responses']) {
      const unused = Object.keys(document.components[kind])
        .map(name => `#/components/${kind}/${name}`)
        .filter(reference => !used.has(reference));
      expect(unused).toEqual([]);
    }
  });

  test('every schema compiles', () => {
    const places = Object.keys(document.components.schemas).map(name => `#/components/schemas/${name}`);
    for (const [path, methods] of Object.entries<Json>(document.paths)) {
      for (const method of Object.keys(methods)) {
        places.push(...schemaPlaces(`#/paths/${escapePointer(path)}/${method}`));
      }
    }
    for (const place of places) {
      expect(() => ajv.compile({ $ref: `document${place}` }), place).not.toThrow();
    }
  });

  test('an operation id names one operation', () => {
    const ids = nodes([document.paths, document.webhooks]).flatMap(node => node.operationId ?? []);
    expect(ids).toHaveLength(described.length + webhookEventKinds.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('every operation of the table is in it under its key, and no other', () => {
    expect(Object.entries(operations).filter(([key, operation]) => key !== operation.id)).toEqual([]);
    const inDocument = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    );
    const inTable = Object.values<Operation>(operations).map(({ method, path }) => `${method} ${path}`);
    expect(inDocument.toSorted()).toEqual(inTable.toSorted());
  });
});

describe('an answer with something new in it still fits the document', () => {
  const qrCode = {
    id: 'qr_01k9z3w8fdm5v7c2n4s6t8r0xb',
    name: 'Menu',
    destination_url: 'https://example.com',
    short_code: 'menu',
    short_url: 'https://sign.example/menu',
    domain: null,
    image_url: 'https://sign.example/images/menu/public',
    status: 'active',
    active: true,
    archived: false,
    total_scans: 0,
    unique_scans: 0,
    created_at: '2026-11-16T08:00:00Z',
    updated_at: '2026-11-16T08:00:00Z',
    style: { dotsType: 'square' },
    scannability: { level: 'good', reasons: [] },
    availability: { state: 'live', since: null, reason: null },
    tags: ['Spring'],
    note: null,
    external_id: null,
    metadata: {},
    rules: [],
    fallback_url: null,
    starts_at: null,
    expires_at: null,
    max_scans: null,
    forward_query: false,
    append_query: {},
    revision: 0,
    placements: [],
  };
  const error = { code: 'not_found', message: 'None.', request_id: 'req_1', doc_url: 'https://a.example' };
  const fits = (schema: string, value: unknown) =>
    ajv.compile({ $ref: `document#/components/schemas/${schema}` })(value);

  test.each<[string, string, object]>([
    ['as it is today', 'QrCode', qrCode],
    ['a field', 'QrCode', { ...qrCode, folder: 'a' }],
    ['a field of a part', 'QrCode', { ...qrCode, style: { dotsType: 'square', shadow: 'x' } }],
    ['a value of a part', 'QrCode', { ...qrCode, style: { dotsType: 'hexagons' } }],
    ['a status', 'QrCode', { ...qrCode, status: 'archived' }],
    ['an error code', 'Error', { error: { ...error, code: 'teapot', hint: 'Make coffee.' } }],
    [
      'a field of an item',
      'BulkResult',
      { created: 1, failed: 0, data: [{ index: 0, status: 'created', qr_code: qrCode, warning: 'x' }] },
    ],
    [
      'a field of an event',
      'ScanCreatedEvent',
      {
        event: 'scan.created',
        timestamp: '2026-11-16T08:00:00Z',
        data: {
          qr_id: 'qr_1',
          scan_id: 'scan_1',
          country: 'DE',
          city: '',
          device: 'ios',
          is_unique: true,
          region: 'Bavaria',
        },
      },
    ],
  ])('%s', (_what, schema, value) => {
    expect(fits(schema, value)).toBe(true);
  });

  test.each<[string, string, object]>([
    ['a field of another type', 'QrCode', { ...qrCode, total_scans: 'many' }],
    ['a field missing', 'QrCode', { ...qrCode, id: undefined }],
    [
      'a success without its code',
      'BulkResult',
      { created: 1, failed: 0, data: [{ index: 0, status: 'created', error }] },
    ],
    [
      'an unknown field of a body',
      'CreateQrCode',
      { name: 'a', destination_url: 'https://example.com', nmae: 'b' },
    ],
    ['an unknown value in a body', 'Style', { dotsType: 'hexagons' }],
  ])('but not with %s', (_what, schema, value) => {
    expect(fits(schema, JSON.parse(JSON.stringify(value)))).toBe(false);
  });
});

test('a bulk item is one of three, told apart by its status', () => {
  const { BulkItem } = document.components.schemas;
  expect(BulkItem.discriminator).toEqual({
    propertyName: 'status',
    mapping: {
      created: '#/components/schemas/BulkCreated',
      valid: '#/components/schemas/BulkValid',
      failed: '#/components/schemas/BulkFailed',
    },
  });
});

describe('webhooks', () => {
  test('every event that a webhook can subscribe to is described, and no other', () => {
    expect(Object.keys(document.webhooks)).toEqual([...webhookEventKinds]);
  });

  test.each(webhookEventKinds)('%s names its event, and the headers of a delivery', kind => {
    const { post } = document.webhooks[kind];
    const { $ref } = post.requestBody.content['application/json'].schema;
    expect((at($ref) as { properties: Json }).properties.event).toMatchObject({ const: kind });
    expect(post.parameters.map(({ name }: Json) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'X-Signpost-Test',
    ]);
  });
});

test('every tag in use is described, and every described tag is in use', () => {
  const inUse = nodes([document.paths, document.webhooks]).flatMap(node =>
    node.operationId ? (node.tags as string[]) : [],
  );
  expect(new Set(document.tags.map(({ name }: Json) => name))).toEqual(new Set(inUse));
  for (const { name, description } of document.tags) expect(description, name).not.toBe('');
});

describe.each(described)('%s', (_id, operation, inDocument) => {
  const responses = Object.fromEntries(
    Object.entries(inDocument.responses as Record<string, Json>).map(([status, response]) => [
      status,
      (typeof response.$ref === 'string' ? at(response.$ref) : response) as Json,
    ]),
  );

  test('has a summary that differs from its description', () => {
    expect(inDocument.summary).not.toBe('');
    expect(inDocument.summary).not.toBe(inDocument.description);
  });

  test('names the permission that it needs', () => {
    expect(inDocument['x-permission']).toBe(operation.permission);
  });

  test('declares the status of every error it can give, and names its code there', () => {
    for (const code of errorsOf(operation)) {
      const response = responses[errorTable[code].status];
      expect(response?.description, code).toContain(`\`${code}\``);
      expect(response?.content, code).toMatchObject({
        'application/json': { schema: { $ref: '#/components/schemas/Error' } },
      });
    }
  });

  test('only "not changed" is declared without a body', () => {
    const bare = Object.entries(responses).filter(([, response]) => response.content === undefined);
    expect(bare.map(([status]) => status)).toEqual('files' in operation.success ? ['304'] : []);
  });

  test('declares no status but that of its success and of its errors', () => {
    const statuses = errorsOf(operation).map(code => errorTable[code].status);
    // A file may also be answered with the word that the caller has it already.
    const notChanged = 'files' in operation.success ? [304] : [];
    const created = operation.createdDescription ? [201] : [];
    const expected = new Set([operation.success.status, ...created, ...notChanged, ...statuses].map(String));
    expect(new Set(Object.keys(responses))).toEqual(expected);
  });

  test('describes every parameter of its path, and no other', () => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const parameters = inDocument.parameters as Json[];
    const given = parameters.filter(parameter => parameter.in === 'path').map(parameter => parameter.name);
    expect(given).toEqual(inPath);
  });

  test('every answer tells the request id and the rate limit', () => {
    for (const [status, { headers }] of Object.entries(responses)) {
      const names = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
      expect(Object.keys(headers as Json), status).toEqual(expect.arrayContaining(names));
    }
  });

  test('asks for a key, unless it is public', () => {
    expect(inDocument.security).toEqual(isAnonymous(operation) ? [] : undefined);
    expect('401' in responses).toBe(!isAnonymous(operation));
  });
});

const text = { type: 'string', minLength: 1 };
const reference = { type: 'object', required: ['$ref'], properties: { $ref: { pattern: '^#/components/' } } };
const content = {
  type: 'object',
  minProperties: 1,
  propertyNames: { pattern: '^[a-z]+/[a-z0-9.+-]+$' },
  additionalProperties: {
    type: 'object',
    properties: { schema: { type: 'object' }, example: true, examples: { type: 'object' } },
    additionalProperties: false,
  },
  // A file may do without a schema, JSON may not.
  properties: { 'application/json': { required: ['schema'] } },
};

/** The parts of OpenAPI 3.1 that the document uses; anything else in it is a mistake. */
const structure = {
  type: 'object',
  required: ['openapi', 'info', 'servers', 'paths', 'components'],
  additionalProperties: false,
  properties: {
    openapi: { const: '3.1.0' },
    info: {
      type: 'object',
      required: ['title', 'version'],
      properties: {
        title: text,
        version: text,
        license: {
          type: 'object',
          required: ['name'],
          // A licence has an identifier or an address, never both.
          not: { required: ['identifier', 'url'] },
        },
      },
    },
    servers: {
      type: 'array',
      minItems: 1,
      items: { type: 'object', required: ['url'], properties: { url: { type: 'string', format: 'uri' } } },
    },
    security: { $ref: '#/$defs/security' },
    tags: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'description'],
        properties: { name: text, description: text },
        additionalProperties: false,
      },
    },
    webhooks: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['post'],
        properties: { post: { $ref: '#/$defs/operation' } },
        additionalProperties: false,
      },
    },
    paths: {
      type: 'object',
      propertyNames: { pattern: '^/v1/' },
      additionalProperties: {
        type: 'object',
        minProperties: 1,
        propertyNames: { enum: ['get', 'post', 'put', 'patch', 'delete'] },
        additionalProperties: { $ref: '#/$defs/operation' },
      },
    },
    components: {
      type: 'object',
      required: ['schemas', 'headers', 'responses', 'securitySchemes'],
      additionalProperties: false,
      properties: {
        schemas: { type: 'object', propertyNames: { pattern: '^[A-Za-z0-9._-]+$' } },
        headers: {
          type: 'object',
          additionalProperties: { type: 'object', required: ['description', 'schema'] },
        },
        responses: { type: 'object', additionalProperties: { $ref: '#/$defs/response' } },
        securitySchemes: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            required: ['type', 'scheme'],
            properties: { type: { const: 'http' }, scheme: { const: 'bearer' } },
          },
        },
      },
    },
  },
  $defs: {
    security: {
      type: 'array',
      items: { type: 'object', additionalProperties: { type: 'array', items: text } },
    },
    operation: {
      type: 'object',
      required: ['operationId', 'tags', 'summary', 'description', 'parameters', 'responses'],
      additionalProperties: false,
      properties: {
        operationId: { type: 'string', pattern: '^[a-z][A-Za-z]+$' },
        tags: { type: 'array', minItems: 1, items: text },
        summary: text,
        description: text,
        'x-permission': { enum: [...permissions, operatorPermission] },
        security: { $ref: '#/$defs/security' },
        parameters: { type: 'array', items: { $ref: '#/$defs/parameter' } },
        requestBody: {
          type: 'object',
          required: ['content', 'required'],
          properties: { required: { type: 'boolean' }, content },
          additionalProperties: false,
        },
        responses: {
          type: 'object',
          minProperties: 1,
          propertyNames: { pattern: '^([2-5]\\d\\d|2XX|default)$' },
          additionalProperties: { anyOf: [reference, { $ref: '#/$defs/response' }] },
        },
      },
    },
    response: {
      type: 'object',
      required: ['description'],
      additionalProperties: false,
      properties: {
        description: text,
        headers: { type: 'object', additionalProperties: reference },
        content,
      },
    },
    parameter: {
      type: 'object',
      required: ['name', 'in', 'schema'],
      additionalProperties: false,
      properties: {
        name: text,
        in: { enum: ['path', 'query', 'header'] },
        required: { type: 'boolean' },
        description: text,
        schema: { type: 'object' },
        example: true,
      },
      if: { properties: { in: { const: 'path' } } },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: { required: ['required'], properties: { required: { const: true } } },
    },
  },
};

/** Every object inside a value, itself first. */
function nodes(value: unknown): Json[] {
  if (value === null || typeof value !== 'object') return [];
  const inner = Object.values(value).flatMap(nodes);
  return Array.isArray(value) ? inner : [value as Json, ...inner];
}

/** What a reference such as `#/components/schemas/Error` leads to. */
function at(pointer: string): unknown {
  const steps = pointer
    .slice(2)
    .split('/')
    .map(step => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>((value, step) => (value as Json | undefined)?.[step], document);
}

function schemaPlaces(operation: string): string[] {
  if (at(operation) === undefined) return [];
  const { parameters, requestBody, responses } = at(operation) as {
    parameters: Json[];
    requestBody?: { content: Json };
    responses: Record<string, { $ref?: string; content: Json }>;
  };
  const inContent = (place: string, types: Json) =>
    Object.keys(types)
      .filter(type => 'schema' in (types[type] as Json))
      .map(type => `${operation}/${place}/content/${escapePointer(type)}/schema`);
  return [
    ...parameters.map((_, index) => `${operation}/parameters/${index}/schema`),
    ...(requestBody ? inContent('requestBody', requestBody.content) : []),
    ...Object.entries(responses).flatMap(([status, one]) =>
      inContent(`responses/${status}`, one.content ?? {}),
    ),
  ];
}

function escapePointer(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
}
