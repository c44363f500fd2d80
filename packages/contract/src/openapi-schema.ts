export type Json = { [key: string]: unknown };

/** Who writes the value: callers send requests; the service sends responses and events. */
export type Direction = 'request' | 'response';

/** Keywords that only the server reads: how it words an error, and rules that the description states in words. */
const serverOnly = new Set(['x-form', 'x-visible', 'x-destination']);

/**
 * Moves every schema with a title to the components and leaves a reference in its place. Schemas of responses are opened:
 * docs/internals/adr/2026-11-16-open-answers.md says why.
 */
export function hoist(schema: object, schemas: Json, direction: Direction): Json {
  const done = hoisted[direction].get(schemas) ?? new Map<object, Json>();
  hoisted[direction].set(schemas, done);
  const known = done.get(schema) ?? (walk(JSON.parse(JSON.stringify(schema)), schemas, direction) as Json);
  done.set(schema, known);
  return known;
}

/** What has been moved to which components: many operations share a schema, and walking each again took most of the time. */
const hoisted = {
  request: new WeakMap<Json, Map<object, Json>>(),
  response: new WeakMap<Json, Map<object, Json>>(),
};

function walk(node: unknown, schemas: Json, direction: Direction): unknown {
  if (Array.isArray(node)) return node.map(item => walk(item, schemas, direction));
  if (node === null || typeof node !== 'object') return node;
  const inner = Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !serverOnly.has(key))
      .map(([key, value]) => [key, walk(value, schemas, direction)]),
  );
  const { title, ...rest } = discriminated(
    portable(direction === 'response' ? opened(inner) : inner),
    schemas,
  );
  if (typeof title !== 'string') return title === undefined ? rest : { title, ...rest };
  const known = schemas[title];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(rest)) {
    throw new Error(`Two schemas have the title ${title}: requests and responses need one each`);
  }
  schemas[title] = rest;
  return { $ref: `#/components/schemas/${title}` };
}

/** What a later version may send validates too: new fields, and new values of an enum. */
function opened(schema: Json): Json {
  const { enum: values, ...rest } = schema.additionalProperties === false ? without(schema) : schema;
  if (!Array.isArray(values)) return rest;
  const known = values.filter(value => value !== null);
  return { ...rest, 'x-extensible-enum': known, description: describedWith(rest.description, known) };
}

const without = ({ additionalProperties: _closed, ...rest }: Json): Json => rest;

/** A longer list of values is left to the reference. */
const maxListed = 12;

function describedWith(description: unknown, known: readonly unknown[]): string {
  const list = `Known values: ${known.map(value => `\`${value}\``).join(', ')}. More may be added.`;
  const text = known.length > maxListed ? 'More values may be added.' : list;
  return description ? `${description} ${text}` : text;
}

/**
 * Patterns as both ECMAScript and RE2 (Go) read them. RE2 has no `\uXXXX` and no surrogates, so refusing text that is not
 * well-formed is left to the server.
 */
function portable(schema: Json): Json {
  if (typeof schema.pattern !== 'string') return schema;
  const pattern = schema.pattern
    .replaceAll('\\uD800-\\uDFFF', '')
    .replaceAll('\\u00', '\\x')
    // RE2 knows no such escape; every dialect knows the character itself.
    .replaceAll(/\\u([\dA-F]{4})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return { ...schema, pattern };
}

/** `x-discriminator` names the field that tells alternatives apart. Each has a title and its own value of the field. */
function discriminated(schema: Json, schemas: Json): Json {
  const { 'x-discriminator': propertyName, anyOf, ...rest } = schema;
  if (typeof propertyName !== 'string') return schema;
  const alternatives = anyOf as readonly { readonly $ref: string }[];
  const constOf = ($ref: string) => {
    const { properties } = schemas[$ref.split('/').at(-1)!] as { properties: Record<string, Json> };
    return String(properties[propertyName]?.const);
  };
  const mapping = Object.fromEntries(alternatives.map(({ $ref }) => [constOf($ref), $ref]));
  return { ...rest, oneOf: alternatives, discriminator: { propertyName, mapping } };
}
