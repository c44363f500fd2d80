import { comment, openEnums, type Schema, typeName, typeOf } from './schema-type.ts';
import {
  type Document,
  type Operation,
  operationsOf,
  type Parameter,
  withoutCompatibility,
} from './sdk-document.ts';

/** The types of the SDK and its table of endpoints, from the OpenAPI document. */
export function sdkSource(whole: Document, version: string): string {
  const document = withoutCompatibility(whole);
  const operations = operationsOf(document);
  const schemas = Object.entries(document.components.schemas).map(([title, schema]) => {
    return `${comment(schema.description)}export type ${typeName(title)} = ${typeOf(openEnums(schema))};\n`;
  });
  const queries = operations
    .filter(({ query }) => query.length > 0)
    .map(({ id, summary, query }) => {
      return `/** The query of "${summary}". */\nexport type ${queryName(id)} = ${typeOf(asObject(query))};\n`;
    });
  return [
    '// Made by `npm run generate` from docs/guides/openapi.json. Change the contract, not this file.\n',
    ...schemas,
    ...queries,
    eventUnion(document),
    '/** Where each operation is, and how its answer is read. */',
    `export const endpoints = {\n${operations.map(endpointOf).join('\n')}\n} as const;\n`,
    `/** Of this package. */\nexport const version = '${version}';\n`,
  ].join('\n');
}

function eventUnion({ webhooks = {} }: Document): string {
  const types = Object.values(webhooks).map(({ post }) =>
    typeOf(post.requestBody?.content['application/json']?.schema ?? {}),
  );
  const text =
    'The body of a webhook; `event` says which it is. A webhook gets the events that its `events` name.';
  return `${comment(text)}export type WebhookEvent =\n  | ${types.join('\n  | ')};\n`;
}

/** `listQrCodes` takes a `ListQrCodesQuery`. */
export const queryName = (id: string) => `${id[0]!.toUpperCase()}${id.slice(1)}Query`;

function endpointOf({ id, method, path, query, body, answer }: Operation): string {
  const input = body ? 'body' : query.length > 0 ? 'query' : 'none';
  const names = query.map(one => `'${one.name}'`);
  return `  ${id}: { method: '${method}', path: '${path}', input: '${input}', query: [${names.join(', ')}], answer: '${answer.kind}' },`;
}

const asObject = (parameters: readonly Parameter[]): Schema => ({
  type: 'object',
  required: parameters.filter(one => one.required).map(one => one.name),
  properties: Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      description ? { ...schema, description } : schema,
    ]),
  ),
});
