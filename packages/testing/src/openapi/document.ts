import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** An OpenAPI document as the fuzzer needs it: valid requests and valid responses. */
export type ApiDocument = {
  readonly operations: readonly FuzzOperation[];
  readonly isError: ValidateFunction;
  /** Resolves a reference to its schema. */
  resolve(schema: Schema): Schema;
  /** The operation that a router would choose for this request. */
  find(method: string, target: string): FuzzOperation | null;
};

export type FuzzOperation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  /** By status, then by media type; null where a media type has no schema. */
  readonly responses: ReadonlyMap<number, ReadonlyMap<string, ValidateFunction | null>>;
};

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
};

// biome-ignore lint/suspicious/noExplicitAny: a schema may hold anything
export type Schema = { readonly [key: string]: any };

const root = 'document';

export function readDocument(published: Schema): ApiDocument {
  const document = closed(published) as Schema;
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  ajv.addSchema({ $id: root, ...document });
  const compile = (pointer: string) => ajv.compile({ $ref: `${root}#${pointer}` });
  const resolve = (schema: Schema) => (schema.$ref ? at(document, schema.$ref) : schema);
  const operations = Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, operation]) =>
      readOperation(path, method, operation, { compile, resolve }),
    ),
  );
  const routes = operations.map(operation => ({ operation, pattern: patternOf(operation.path) }));
  // A router prefers a literal path to one with a parameter.
  routes.sort((a, b) => Number(a.operation.path.includes('{')) - Number(b.operation.path.includes('{')));
  return {
    operations,
    isError: compile('/components/schemas/Error'),
    resolve,
    find(method, target) {
      const path = plainPath(target);
      const wanted = method === 'HEAD' ? 'GET' : method;
      if (path === null) return null;
      return routes.find(r => r.operation.method === wanted && r.pattern.test(path))?.operation ?? null;
    },
  };
}

/**
 * The published document lets responses gain fields and values, so that clients expect them. Our own server must send only
 * what the document names.
 */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (node === null || typeof node !== 'object') return node;
  const { 'x-extensible-enum': known, ...rest } = node as Schema;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, closed(value)]),
  );
  if (Array.isArray(known)) copy.enum = rest.type === 'string' ? known : [...known, null];
  if (rest.type === 'object' && rest.properties) copy.additionalProperties ??= false;
  return copy;
}

function readOperation(
  path: string,
  method: string,
  { operationId, parameters = [], requestBody, responses }: Schema,
  { compile, resolve }: { compile(pointer: string): ValidateFunction; resolve(part: Schema): Schema },
): FuzzOperation {
  const here = `/paths/${escaped(path)}/${method}`;
  const readResponse = ([status, response]: [string, Schema]) => {
    const { content = {} } = resolve(response);
    const place = response.$ref?.slice(1) ?? `${here}/responses/${status}`;
    const types = Object.entries<Schema>(content).map(([type, { schema }]) => {
      const pointer = `${place}/content/${escaped(type)}/schema`;
      return [type, schema ? compile(pointer) : null] as const;
    });
    return [Number(status), new Map(types)] as const;
  };
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    parameters,
    body: requestBody?.content['application/json']?.schema ?? null,
    responses: new Map(Object.entries<Schema>(responses).map(readResponse)),
  };
}

const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]*')}$`, 's');

/** The path as a router sees it: without scheme, host and query, percent-decoded. */
function plainPath(target: string): string | null {
  const path = target.replace(/^[a-z]+:\/\/[^/]*/i, '').split(/[?#]/, 1)[0]!;
  try {
    return path
      .split('/')
      .map(segment => decodeURIComponent(segment).replaceAll('/', '%2F'))
      .join('/');
  } catch {
    return null;
  }
}

function at(document: Schema, reference: string): Schema {
  return reference
    .slice(2)
    .split('/')
    .reduce((value, step) => value[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

function escaped(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}
