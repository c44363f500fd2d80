import type { Operation } from '@signpost/contract';

/** The path of a destination in a request body: its keys, with 0 for an item of an array. */
export type DestinationPath = readonly (string | 0)[];

type Schema = {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly 'x-destination'?: boolean;
};

/** Every field of a body that is marked as a destination, at any depth. */
function destinationsOf(schema: Schema | undefined): DestinationPath[] {
  if (!schema) return [];
  if (schema['x-destination']) return [[]];
  const within = (key: string | 0, inner: Schema) => destinationsOf(inner).map(path => [key, ...path]);
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => within(key, inner)),
    ...(schema.items ? within(0, schema.items) : []),
    ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap(some => (some ?? []).flatMap(destinationsOf)),
  ];
}

/** The smallest body with this URL at this path. */
function bodyWith(schema: Schema, [key, ...rest]: DestinationPath, url: string): unknown {
  if (schema['x-destination'] && key === undefined) return url;
  const fitting = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].find(one =>
    destinationsOf(one).some(path => path[0] === key),
  );
  if (key === 0 && schema.items) return [bodyWith(schema.items, rest, url)];
  const inner = key === undefined ? undefined : schema.properties?.[key];
  if (!inner) return fitting ? bodyWith(fitting, [key!, ...rest], url) : sampleOf(schema);
  const others = (schema.required ?? []).filter(name => name !== key);
  return {
    ...Object.fromEntries(others.map(name => [name, sampleOf(schema.properties![name]!)])),
    [key!]: bodyWith(inner, rest, url),
  };
}

function sampleOf(schema: Schema): unknown {
  if (schema['x-destination']) return 'https://sample.example/';
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first && schema.type === undefined) return sampleOf(first);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return schema.items ? [sampleOf(schema.items)] : [];
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map(name => [name, sampleOf(schema.properties![name]!)]),
      );
    default:
      return 'sample';
  }
}

/** One call per destination field of an operation, with the URL in that field. */
export const callsWith = (operation: Operation, url: string) =>
  destinationsOf(operation.body as Schema | undefined).map(path => ({
    where: `${operation.id} ${path.join('.')}`,
    body: bodyWith(operation.body as Schema, path, url),
  }));
