/** As much of an OpenAPI document as the reference shows. */
export type OpenApiDocument = { readonly [key: string]: unknown };

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
};

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};

export type Response = { readonly description?: string; readonly content?: Content };

export type Endpoint = {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly responses: Readonly<Record<string, Response>>;
};

type Operation = {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, Response>>;
};

/** Every operation of a document, in its order. */
export function endpointsOf(document: OpenApiDocument): readonly Endpoint[] {
  const paths = (document.paths ?? {}) as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      id: operation.operationId ?? `${method}-${path}`,
      tag: operation.tags?.[0] ?? 'Other',
      summary: operation.summary ?? path,
      description: operation.description ?? '',
      isPublic: operation.security?.length === 0,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content['application/json']?.schema,
      responses: operation.responses ?? {},
    })),
  );
}

/** The address that the paths of a document follow. */
export function baseUrlOf(document: OpenApiDocument): string {
  const [server] = (document.servers ?? []) as readonly { readonly url: string }[];
  return (server?.url ?? '').replace(/\/$/, '');
}

export type Resolve = (schema: Schema) => Schema;

/** Follows references into the document. What stands beside a reference goes before what it leads to. */
export function resolverOf(document: OpenApiDocument): Resolve {
  const resolve: Resolve = schema => {
    if (schema.$ref === undefined) return schema;
    const { $ref, ...siblings } = schema;
    const steps = $ref.replace(/^#\//, '').split('/');
    const target = steps.reduce<unknown>(
      (node, step) => (node as Record<string, unknown> | undefined)?.[step],
      document,
    );
    return { ...resolve((target ?? {}) as Schema), ...siblings };
  };
  return resolve;
}
