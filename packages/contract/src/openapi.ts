import type Type from 'typebox';
import release from '../package.json' with { type: 'json' };
import { LiveScan } from './account.ts';
import { accountOperations } from './account-operations.ts';
import { ErrorBody, type ErrorCode, errorTable } from './errors.ts';
import {
  eventExample,
  parameterExample,
  refusalExamples,
  requestExample,
  responseExample,
} from './openapi-examples.ts';
import { hoist, type Json } from './openapi-schema.ts';
import { errorsOf, isAnonymous, isReplayed, type Operation, operations } from './operations.ts';
import { type WebhookEvent, webhookEvents } from './webhook-events.ts';

/** The OpenAPI 3.1 document of every operation of the public API, with `serverUrl` as its base. */
export function openApiDocument(serverUrl: string): Json {
  return documentOf(operations, {
    serverUrl,
    title: 'Signpost',
    description: 'Dynamic QR codes: print once, change the destination at any time.',
    security: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An API key of your account: `sk_live_…` for production, `sk_test_…` for test mode, whose data is separate.',
      },
    },
    tags: {
      'QR codes': 'Create QR codes, change where they lead, pause or delete them, and download their images.',
      Tags: 'List, rename, merge and delete the tags of your codes.',
      'Share links': 'Pages with figures for people without an account.',
      Designs: 'Looks that new codes copy, and in which existing ones can be downloaded.',
      Assets: 'Logos for codes and designs.',
      Print: 'Sheets of labels, and many images in one file.',
      Analytics: 'Scans and visitors of one code or of the whole account.',
      Webhooks: 'Manage the URLs that receive events, and inspect and replay deliveries.',
      'Webhook events': 'The requests that Signpost sends to your webhooks.',
      Account: 'What your account can do and has used.',
      Accounts: 'Accounts that a platform creates for its customers, by an operator key.',
      Domains: 'Hosts of your account that short links can be on.',
      About: 'The API itself.',
    },
    events: webhookEvents,
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
      'The endpoints behind the dashboard. They change with it; programs should use the API. The header `X-Signpost-Mode: live|test` (or `?mode=`) selects the mode, live by default. Requests other than GET must come from a page of the service itself.',
    security: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: 'signpost.session_token',
        description: 'The session cookie that signing in sets.',
      },
    },
    tags: {
      'Sign-in': 'Signing up and in, passwords and sessions.',
      Account: 'What the dashboard shows of an account.',
      Operator: 'For operators only.',
    },
    schemas: { LiveScan },
  });
}

type About = {
  readonly serverUrl: string;
  readonly title: string;
  readonly description: string;
  readonly security: { readonly [name: string]: Json };
  /** By name, in the order in which a reader should meet them. */
  readonly tags: { readonly [name: string]: string };
  readonly events?: { readonly [name: string]: WebhookEvent };
  /** Schemas that no operation shows as JSON. */
  readonly schemas?: { readonly [name: string]: Type.TSchema };
};

/** The parts of the document that operations refer to. */
type Components = { readonly schemas: Json; readonly responses: Json };

function documentOf(of: Readonly<Record<string, Operation>>, about: About): Json {
  const components: Components = { schemas: {}, responses: {} };
  const paths: Record<string, Json> = {};
  for (const operation of Object.values(of)) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation, components),
    };
  }
  const webhooks = Object.entries(about.events ?? {}).map(([name, event]) => [
    name,
    { post: describeEvent(name, event, components) },
  ]);
  for (const schema of Object.values(about.schemas ?? {})) hoist(schema, components.schemas, 'response');
  return {
    openapi: '3.1.0',
    info: {
      title: about.title,
      version: release.version,
      description: about.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.serverUrl }],
    security: Object.keys(about.security).map(name => ({ [name]: [] })),
    tags: Object.entries(about.tags).map(([name, description]) => ({ name, description })),
    paths,
    ...(webhooks.length > 0 ? { webhooks: Object.fromEntries(webhooks) } : {}),
    components: {
      securitySchemes: about.security,
      headers,
      responses: sorted(components.responses),
      schemas: sorted(components.schemas),
    },
  };
}

const sorted = (parts: Json): Json =>
  Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));

const integer = { type: 'integer' };

const headers = {
  'X-Request-Id': { description: 'Id of this request, for support and logs.', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'Number of requests allowed in any 60 seconds.', schema: integer },
  'X-RateLimit-Remaining': { description: 'Number of requests left in the current window.', schema: integer },
  'X-RateLimit-Reset': {
    description: 'Time at which the full limit is available again, in Unix seconds.',
    schema: integer,
  },
  'X-Signpost-Warning': {
    description:
      'Query parameters that this operation does not know and ignores, with suggestions for misspelled ones.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Number of seconds to wait before retrying.', schema: integer },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored response of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: {
    description:
      'The `revision` of the code, in quotes: send it as `If-Match` with a change to make it only if nobody has edited the code since. Absent in replayed responses.',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': { description: 'The authentication scheme: `Bearer`.', schema: { type: 'string' } },
};

const headerRefs = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));

const everyHeader = headerRefs(
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
);

function describe(operation: Operation, components: Components): Json {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    ...(operation.permission ? { 'x-permission': operation.permission } : {}),
    ...(isAnonymous(operation) ? { security: [] } : {}),
    parameters: parameters(operation, components),
    ...(operation.body
      ? {
          requestBody: {
            required: !operation.bodyOptional,
            content: {
              'application/json': {
                schema: hoist(operation.body, components.schemas, 'request'),
                ...requestExample(operation),
              },
            },
          },
        }
      : {}),
    responses: responses(operation, components),
  };
}

function parameters(operation: Operation, components: Components): Json[] {
  const from = (place: 'path' | 'query', schema: Type.TObject | undefined) =>
    Object.entries(schema?.properties ?? {}).map(([name, property]) => {
      const { description, ...rest } = hoist(property, components.schemas, 'request');
      return {
        name,
        in: place,
        required: place === 'path' || ((schema?.required ?? []) as readonly string[]).includes(name),
        ...(description ? { description } : {}),
        schema: rest,
        ...parameterExample(operation, place, name),
      };
    });
  const idempotency = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes retries safe. Repeating a request with the same key and body within 24 hours returns the first response instead of performing the operation again. Up to 255 visible characters. Successful responses are stored, and so are errors raised while the operation runs, such as 403, 404 and 409. Not stored: 400 for a body that does not match the schema, 401, 403 from authentication, 413, 415, 429 and 5xx.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    ...parameterExample(operation, 'header', 'Idempotency-Key'),
  };
  return [
    ...from('path', operation.params),
    ...from('query', operation.query),
    ...(isReplayed(operation) ? [idempotency] : []),
    ...(operation.ifMatch === 'code' ? [ifMatch] : []),
    ...(operation.ifNoneMatch ? [ifNoneMatch] : []),
  ];
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `revision` of the code that the change is based on, in quotes as in its `ETag`, or several separated by commas. If the code has another by now, nothing is changed and the answer is 412 `precondition_failed`. `*`: the code exists. Weak tags (`W/`) never match.',
  schema: { type: 'string' },
  example: '"7"',
};

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    '`*`: only create. If the code exists, nothing is changed and the answer is 412 `precondition_failed`. Other values have no meaning.',
  schema: { type: 'string', const: '*' },
  example: '*',
};

function responses(operation: Operation, components: Components): Json {
  const { success: promised } = operation;
  const { status, description } = promised;
  const byStatus = Map.groupBy(errorsOf(operation), code => errorTable[code].status);
  const success = {
    description,
    headers: {
      ...everyHeader,
      ...(operation.path.startsWith('/v1/') ? headerRefs('X-Signpost-Warning') : {}),
      ...(isReplayed(operation) ? headerRefs('Idempotent-Replayed') : {}),
      ...(operation.etag ? headerRefs('ETag') : {}),
    },
    content: contentOf(operation, components),
  };
  const errors = [...byStatus].map(([errorStatus, codes]) => [
    errorStatus,
    errorResponse(errorStatus, codes, operation, components),
  ]);
  const unchanged = {
    304: { description: 'Not modified since the ETag in the request.', headers: everyHeader },
  };
  const { createdDescription } = operation;
  return {
    [status]: success,
    ...(createdDescription ? { 201: { ...success, description: createdDescription } } : {}),
    ...('files' in promised ? unchanged : {}),
    ...Object.fromEntries(errors),
  };
}

function contentOf(operation: Operation, components: Components): Json {
  const { success } = operation;
  const types: readonly (readonly [string, Type.TSchema | null])[] =
    'schema' in success
      ? [['application/json', success.schema]]
      : 'files' in success
        ? success.files.map(type => [type, null])
        : Object.entries(success.streams);
  const file = { type: 'string', format: 'binary' };
  return Object.fromEntries(
    types.map(([type, schema]) => [
      type,
      {
        schema: schema ? hoist(schema, components.schemas, 'response') : file,
        ...responseExample(operation, type),
      },
    ]),
  );
}

/** An error of more codes than these is described where it is used: hardly two operations share it. */
const maxSharedCodes = 2;

function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  operation: Operation,
  components: Components,
): Json {
  const isShared = codes.length <= maxSharedCodes;
  const extra =
    status === 429 || status === 503
      ? headerRefs('Retry-After')
      : status === 401
        ? headerRefs('WWW-Authenticate')
        : {};
  const response = {
    description: codes.map(code => `\`${code}\`: ${errorTable[code].meaning}`).join('\n\n'),
    headers: { ...everyHeader, ...extra },
    content: {
      'application/json': {
        schema: hoist(ErrorBody, components.schemas, 'response'),
        ...refusalExamples(operation, codes, isShared),
      },
    },
  };
  if (!isShared) return response;
  const name = codes.toSorted().map(pascalCase).join('Or');
  components.responses[name] ??= response;
  return { $ref: `#/components/responses/${name}` };
}

const pascalCase = (code: string) => code.replace(/(?:^|_)(\w)/g, (_all, letter) => letter.toUpperCase());

const deliveryHeaders = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description:
      'Id of the delivery, the same for every attempt. Record the ids you have handled: an event may arrive twice.',
    schema: { type: 'string' },
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was sent, in Unix seconds. Reject attempts older than five minutes.',
    schema: { type: 'string' },
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'One or more signatures separated by spaces, each `v1,` and the Base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, keyed with the Base64-decoded part of the secret after `whsec_`. There are two while a secret is being rotated; accept the event if either matches.',
    schema: { type: 'string' },
  },
  {
    name: 'X-Signpost-Test',
    in: 'header',
    required: false,
    description: '`true` on test deliveries, absent otherwise. It is not signed: verify the signature first.',
    schema: { type: 'string', const: 'true' },
  },
];

/** A request that the service sends. What it sends is opened like a response, so that events can gain fields. */
function describeEvent(
  kind: string,
  { id, summary, description, schema }: WebhookEvent,
  components: Components,
): Json {
  const example = eventExample(kind);
  return {
    operationId: id,
    tags: ['Webhook events'],
    summary,
    description: `${description}${example.note}`,
    security: [],
    parameters: deliveryHeaders.map(header => ({ ...header, ...example.header(header.name) })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: hoist(schema, components.schemas, 'response'), ...example.body },
      },
    },
    responses: {
      '2XX': { description: 'Acknowledges the event. Respond within 15 seconds.' },
      410: { description: 'Disables the webhook. This event is not retried.' },
      default: {
        description:
          'The event is retried: 11 attempts over about 76 hours. `Retry-After` delays the next one by up to an hour.',
      },
    },
  };
}
