import { comment, type Schema, typeName, typeOf } from './schema-type.ts';

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** The types and the table of endpoints of the SDK, from the OpenAPI document. */
export function sdkSource(document: Document): string {
  const schemas = Object.entries(document.components.schemas).map(([title, schema]) => {
    return `${comment(schema.description)}export type ${typeName(title)} = ${typeOf(schema)};\n`;
  });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      describe(method.toUpperCase(), path, operation, document),
    ),
  );
  return [
    '// Made by `npm run generate` from docs/openapi.json. Change the contract, not this file.\n',
    ...schemas,
    '/** What each operation takes and answers. */',
    `export type Operations = {\n${operations.map(one => one.type).join('\n')}\n};\n`,
    '/** Where each operation is, and how its answer is read. */',
    `export const endpoints = {\n${operations.map(one => one.endpoint).join('\n')}\n} as const;\n`,
  ].join('\n');
}

function describe(method: string, path: string, operation: Operation, document: Document) {
  const { operationId: id, summary, parameters } = operation;
  const paths = parameters.filter(one => one.in === 'path').map(one => `${one.name}: string`);
  const query = parameters.filter(one => one.in === 'query');
  const body = operation.requestBody?.content['application/json']?.schema;
  if (body && query.length > 0) throw new Error(`${id} has a body and a query: teach tools/generate/sdk.ts`);
  const input = body ? 'body' : query.length > 0 ? 'query' : 'none';
  const inputType = body
    ? typeOf(body, '    ')
    : query.length > 0
      ? typeOf(asObject(query), '    ')
      : 'undefined';
  const answer = answerOf(operation, document);
  const names = query.map(one => `'${one.name}'`);
  return {
    type: [
      comment(summary, '  '),
      `  readonly ${id}: {\n`,
      `    readonly path: [${paths.join(', ')}];\n`,
      `    readonly input: ${inputType};\n`,
      `    readonly answer: ${answer.type};\n`,
      `    readonly kind: '${answer.kind}';\n  };`,
    ].join(''),
    endpoint: `  ${id}: { method: '${method}', path: '${path}', input: '${input}', query: [${names.join(', ')}], answer: '${answer.kind}' },`,
  };
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

/** A page has `data` and `pagination`; whatever may be something else than JSON is a file. */
function answerOf({ operationId, responses }: Operation, document: Document) {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  if (!success?.content) throw new Error(`${operationId} has no answer: teach tools/generate/sdk.ts`);
  const schema = success.content['application/json']?.schema;
  const isFile = Object.keys(success.content).some(type => type !== 'application/json');
  if (!schema || isFile || schema.format === 'binary') return { kind: 'file', type: 'Response' };
  const whole = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!] : schema;
  const isPage = whole?.properties?.data?.type === 'array' && whole.properties.pagination !== undefined;
  return { kind: isPage ? 'page' : 'json', type: typeOf(schema, '    ') };
}
