import type Type from 'typebox';
import { ErrorBody, type ErrorCode, errorTable } from './errors.ts';
import { errorsOf, type Operation, operations } from './operations.ts';

type Json = { [key: string]: unknown };

/** The OpenAPI 3.1 document of every operation, with `serverUrl` as its base. */
export function openApiDocument(serverUrl: string): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const operation of Object.values<Operation>(operations)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation, components),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signpost',
      version: '1',
      description: 'Dynamic QR codes: print once, change the destination for ever.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key of the account: sk_live_… for production, sk_test_… for a separate test world.',
        },
      },
      headers,
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

const integer = { type: 'integer' };

const headers = {
  'X-Request-Id': { description: 'Names this request in the logs.', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'Requests allowed in any 60 seconds.', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests left at this moment.', schema: integer },
  'X-RateLimit-Reset': {
    description: 'Unix seconds at which the whole limit is free again.',
    schema: integer,
  },
  'Retry-After': { description: 'Whole seconds to wait.', schema: integer },
  'Idempotent-Replayed': {
    description: 'true where this is the kept answer of an earlier request.',
    schema: { type: 'string', enum: ['true'] },
  },
  Allow: { description: 'The methods that this path takes.', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'Bearer.', schema: { type: 'string' } },
};

const headerRefs = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));

const everyHeader = headerRefs(
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
);

function describe(operation: Operation, components: Json): Json {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    ...(operation.public ? { security: [] } : {}),
    parameters: parameters(operation, components),
    ...(operation.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: hoist(operation.body, components) } },
          },
        }
      : {}),
    responses: responses(operation, components),
  };
}

function parameters(operation: Operation, components: Json): Json[] {
  const from = (place: 'path' | 'query', schema: Type.TObject | undefined) =>
    Object.entries(schema?.properties ?? {}).map(([name, property]) => {
      const { description, ...rest } = hoist(property, components);
      return {
        name,
        in: place,
        required: place === 'path' || ((schema?.required ?? []) as readonly string[]).includes(name),
        ...(description ? { description } : {}),
        schema: rest,
      };
    });
  const idempotency = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Up to 255 visible characters. The same key and body within 24 hours give the first answer again instead of a second code.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  };
  return [
    ...from('path', operation.params),
    ...from('query', operation.query),
    ...(operation.method === 'POST' ? [idempotency] : []),
  ];
}

function responses(operation: Operation, components: Json): Json {
  const { success: promised } = operation;
  const { status, description } = promised;
  const byStatus = Map.groupBy(errorsOf(operation), code => errorTable[code].status);
  const success = {
    description,
    headers: { ...everyHeader, ...(operation.method === 'POST' ? headerRefs('Idempotent-Replayed') : {}) },
    content: contentOf(promised, components),
  };
  const errors = [...byStatus].map(([errorStatus, codes]) => [
    errorStatus,
    errorResponse(errorStatus, codes, components),
  ]);
  const unchanged = {
    304: { description: 'Not changed since the ETag that was sent.', headers: everyHeader },
  };
  return { [status]: success, ...('files' in promised ? unchanged : {}), ...Object.fromEntries(errors) };
}

function contentOf(success: Operation['success'], components: Json): Json {
  if ('schema' in success) return { 'application/json': { schema: hoist(success.schema, components) } };
  const types: readonly (readonly [string, Type.TSchema | null])[] =
    'files' in success ? success.files.map(type => [type, null]) : Object.entries(success.streams);
  const file = { type: 'string', format: 'binary' };
  return Object.fromEntries(
    types.map(([type, schema]) => [type, { schema: schema ? hoist(schema, components) : file }]),
  );
}

function errorResponse(status: number, codes: readonly ErrorCode[], components: Json): Json {
  const extra =
    status === 429 || status === 503
      ? headerRefs('Retry-After')
      : status === 401
        ? headerRefs('WWW-Authenticate')
        : {};
  return {
    description: codes.map(code => `\`${code}\`: ${errorTable[code].meaning}`).join('\n\n'),
    headers: { ...everyHeader, ...extra },
    content: { 'application/json': { schema: hoist(ErrorBody, components) } },
  };
}

/** Puts every schema that has a title among the components, and a reference in its place. */
function hoist(schema: unknown, components: Json): Json {
  return walk(JSON.parse(JSON.stringify(schema)), components) as Json;
}

function walk(node: unknown, components: Json): unknown {
  if (Array.isArray(node)) return node.map(item => walk(item, components));
  if (node === null || typeof node !== 'object') return node;
  const { title, ...rest } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, walk(value, components)]),
  );
  if (typeof title !== 'string') return title === undefined ? rest : { title, ...rest };
  components[title] = rest;
  return { $ref: `#/components/schemas/${title}` };
}
