import type Type from 'typebox';
import { LiveScan } from './account.ts';
import { accountOperations } from './account-operations.ts';
import { ErrorBody, type ErrorCode, errorTable } from './errors.ts';
import { errorsOf, isReplayed, type Operation, operations } from './operations.ts';

type Json = { [key: string]: unknown };

/** The OpenAPI 3.1 document of every operation of the public API, with `serverUrl` as its base. */
export function openApiDocument(serverUrl: string): Json {
  return documentOf(operations, {
    serverUrl,
    title: 'Signpost',
    description: 'Dynamic QR codes: print once, change the destination for ever.',
    security: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'A key of the account: sk_live_… for production, sk_test_… for a separate test world.',
      },
    },
  });
}

/**
 * The document of the dashboard's own endpoints, which its types are made from. Every operation of the public API is
 * there for a session too, under `/account/v1`.
 */
export function accountDocument(serverUrl: string): Json {
  return documentOf(accountOperations, {
    serverUrl,
    title: 'Signpost dashboard',
    description:
      'For the dashboard alone: these endpoints change with it. Programs use the API. The header `X-Signpost-Mode: live|test` (or `?mode=`) chooses the world; live without it. What is no GET must come from a page of the service itself.',
    security: {
      session: { type: 'apiKey', in: 'cookie', name: 'signpost.session_token', description: 'Of a sign-in.' },
    },
    schemas: { LiveScan },
  });
}

type About = {
  readonly serverUrl: string;
  readonly title: string;
  readonly description: string;
  readonly security: { readonly [name: string]: Json };
  /** Schemas that no operation shows as JSON. */
  readonly schemas?: { readonly [name: string]: Type.TSchema };
};

function documentOf(of: Readonly<Record<string, Operation>>, about: About): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const operation of Object.values(of)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation, components),
    };
  }
  for (const schema of Object.values(about.schemas ?? {})) hoist(schema, components);
  return {
    openapi: '3.1.0',
    info: {
      title: about.title,
      version: '1',
      description: about.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.serverUrl }],
    security: Object.keys(about.security).map(name => ({ [name]: [] })),
    paths,
    components: {
      securitySchemes: about.security,
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
  'X-Signpost-Warning': {
    description:
      'Where the query has parameters that this operation does not know: which, and what was probably meant.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Whole seconds to wait.', schema: integer },
  'Idempotent-Replayed': {
    description: 'true where this is the kept answer of an earlier request.',
    schema: { type: 'string', enum: ['true'] },
  },
  Allow: { description: 'The methods that this path takes, HEAD with GET.', schema: { type: 'string' } },
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
            required: !operation.bodyOptional,
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
      'Up to 255 visible characters. The same key and body within 24 hours give the first answer again instead of a second code. Kept are success and refusals once execution began (403, 404, 409 and the like); not kept are 400 of the schema, 401, 403 at the door, 413, 415, 429 and 5xx.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  };
  return [
    ...from('path', operation.params),
    ...from('query', operation.query),
    ...(isReplayed(operation) ? [idempotency] : []),
  ];
}

function responses(operation: Operation, components: Json): Json {
  const { success: promised } = operation;
  const { status, description } = promised;
  const byStatus = Map.groupBy(errorsOf(operation), code => errorTable[code].status);
  const success = {
    description,
    headers: {
      ...everyHeader,
      ...(operation.path.startsWith('/v1/') ? headerRefs('X-Signpost-Warning') : {}),
      ...(isReplayed(operation) ? headerRefs('Idempotent-Replayed') : {}),
    },
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
  const shown = (example: unknown) => (example === undefined ? {} : { example });
  if ('schema' in success)
    return { 'application/json': { schema: hoist(success.schema, components), ...shown(success.example) } };
  const types: readonly (readonly [string, Type.TSchema | null])[] =
    'files' in success ? success.files.map(type => [type, null]) : Object.entries(success.streams);
  const file = { type: 'string', format: 'binary' };
  return Object.fromEntries(
    types.map(([type, schema]) => [
      type,
      {
        schema: schema ? hoist(schema, components) : file,
        ...shown('examples' in success ? success.examples[type] : undefined),
      },
    ]),
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

/** What only the server reads: how it words a refusal, and a rule that the description tells in words. */
const serverOnly = new Set(['x-form', 'x-visible', 'x-destination']);

/** Puts every schema that has a title among the components, and a reference in its place. */
function hoist(schema: unknown, components: Json): Json {
  return walk(JSON.parse(JSON.stringify(schema)), components) as Json;
}

function walk(node: unknown, components: Json): unknown {
  if (Array.isArray(node)) return node.map(item => walk(item, components));
  if (node === null || typeof node !== 'object') return node;
  const { title, ...rest } = Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !serverOnly.has(key))
      .map(([key, value]) => [key, walk(value, components)]),
  );
  if (typeof title !== 'string') return title === undefined ? rest : { title, ...rest };
  components[title] = rest;
  return { $ref: `#/components/schemas/${title}` };
}
