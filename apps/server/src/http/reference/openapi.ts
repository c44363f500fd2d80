/** As much of an OpenAPI document as the reference reads. */
export type OpenApiDocument = { readonly [key: string]: unknown };

type Schema = {
  readonly $ref?: string;
};

type Example = {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
};

type Content = Readonly<Record<string, Example & { readonly schema?: Schema }>>;

type Parameter = Example & {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
};

type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

/** An operation with its place in the document. */
export type Endpoint = Operation & { readonly method: string; readonly path: string };

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** Every operation of a document, in its order. */
export function listEndpoints({ paths }: OpenApiDocument): readonly Endpoint[] {
  return Object.entries(paths as Paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** The document with each operation as `change` makes it. */
export function mapOperations(
  document: OpenApiDocument,
  change: (endpoint: Endpoint) => object,
): OpenApiDocument {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of listEndpoints(document)) {
    const { method, path, ...operation } = endpoint;
    paths[path] = { ...paths[path], [method.toLowerCase()]: { ...operation, ...change(endpoint) } };
  }
  return { ...document, paths };
}

/** The example that stands beside a schema: alone, or the first of several. */
export function getExample({ example, examples }: Example): unknown {
  return example ?? Object.values(examples ?? {})[0]?.value;
}
