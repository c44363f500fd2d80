import { compatibility } from './method-names.ts';
import type { Schema } from './schema-type.ts';

type Example = {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { value?: unknown }>>;
};
export type Parameter = Example & {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
type Content = Readonly<Record<string, Example & { readonly schema: Schema }>>;
type DocumentedOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};
export type Document = {
  readonly webhooks?: Readonly<Record<string, { readonly post: Pick<DocumentedOperation, 'requestBody'> }>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** An operation with what a client needs to know of it. */
export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: readonly Parameter[];
  readonly query: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly required: boolean; readonly example: unknown } | null;
  readonly answer: { readonly kind: 'json' | 'page' | 'feed' | 'file'; readonly schema: Schema };
};

export function operationsOf(document: Document): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      read(method.toUpperCase(), path, operation, document),
    ),
  );
}

function read(method: string, path: string, operation: DocumentedOperation, document: Document): Operation {
  const { operationId: id, summary, description = '', parameters, requestBody } = operation;
  const query = parameters.filter(one => one.in === 'query');
  const content = requestBody?.content['application/json'];
  if (content && query.length > 0)
    throw new Error(`${id} has a body and a query: extend tools/generate/sdk-document.ts`);
  return {
    id,
    method,
    path,
    summary,
    description,
    pathParameters: parameters.filter(one => one.in === 'path'),
    query,
    body: content
      ? { schema: content.schema, required: requestBody?.required !== false, example: exampleOf(content) }
      : null,
    answer: answerOf(operation, document),
  };
}

/** A page has `data` and `pagination`, a feed `data` and `next_cursor`; a response that may be something else than JSON is a file. */
function answerOf({ operationId, responses }: DocumentedOperation, document: Document): Operation['answer'] {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  if (!success?.content)
    throw new Error(`${operationId} has no response: extend tools/generate/sdk-document.ts`);
  const content = success.content['application/json'];
  const isFile = Object.keys(success.content).some(type => type !== 'application/json');
  if (!content || isFile || content.schema.format === 'binary') return { kind: 'file', schema: {} };
  const { schema } = content;
  const whole = resolved(schema, document);
  const { data, pagination, next_cursor: cursor } = whole.properties ?? {};
  if (data?.type !== 'array') return { kind: 'json', schema };
  return { kind: pagination ? 'page' : cursor ? 'feed' : 'json', schema };
}

export const exampleOf = ({ example, examples }: Example): unknown =>
  example ?? Object.values(examples ?? {})[0]?.value;

const resolved = (schema: Schema, { components }: Document): Schema =>
  schema.$ref ? (components.schemas[schema.$ref.split('/').at(-1)!] ?? {}) : schema;

/** The document without what the API accepts for compatibility only. */
export function withoutCompatibility(document: Document, { operations, fields } = compatibility): Document {
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).filter(([, { operationId }]) => !operations.includes(operationId)),
    ),
  ]);
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [
    name,
    fields[name] ? withoutFields(schema, fields[name]) : schema,
  ]);
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  };
}

/** Without fields. Where one of several fields was required and only one of them stays, it is required. */
function withoutFields({ anyOf, oneOf, ...schema }: Schema, fields: readonly string[]): Schema {
  for (const field of fields) {
    if (!schema.properties?.[field])
      throw new Error(`There is no field ${field}: correct tools/generate/method-names.ts`);
  }
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).filter(([name]) => !fields.includes(name)),
  );
  const choices = (anyOf ?? oneOf ?? []).filter(
    choice => !choice.required?.some(name => fields.includes(name)),
  );
  const [only, ...others] = choices;
  const required = [
    ...(schema.required ?? []),
    ...(only && others.length === 0 ? (only.required ?? []) : []),
  ];
  return { ...schema, properties, required, ...(others.length > 0 ? { anyOf: choices } : {}) };
}
