/** The part of JSON Schema that our OpenAPI document uses. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  /** Known values of a string that may have others later. */
  readonly 'x-extensible-enum'?: readonly unknown[];
  readonly format?: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
};

/** A schema as a TypeScript type. It throws on what it does not know, so that no type is silently wrong. */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref) return typeName(schema.$ref.split('/').at(-1)!);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return valuesOf(schema.enum);
  const known = schema['x-extensible-enum'];
  if (known && schema.type === 'string') return `${valuesOf(known)} | ${anyString}`;
  if (schema.allOf) return schema.allOf.map(one => bracketed(typeOf(one, indent))).join(' & ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && schema.properties) return withChoices(schema, choices, indent);
  if (choices) return unionOf(choices, indent);
  if (Array.isArray(schema.type)) {
    return schema.type.map(type => typeOf({ ...schema, type }, indent)).join(' | ');
  }
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayOf(typeOf(schema.items ?? {}, indent));
    case 'object':
      return objectType(schema, indent);
    case undefined:
      if (Object.keys(schema).every(key => annotations.has(key))) return 'unknown';
  }
  throw new Error(`No type is known for ${JSON.stringify(schema)}: extend tools/generate/schema-type.ts`);
}

/**
 * The same schema, in which every text may have other values than those that are known. A body takes what an answer gave, whose
 * values are open for those of a later version.
 */
export function openEnums(schema: Schema): Schema {
  const open = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(open);
    if (node === null || typeof node !== 'object') return node;
    const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, open(value)]));
    const { enum: known, ...rest } = inner as { enum?: unknown; type?: unknown };
    return Array.isArray(known) && rest.type === 'string' ? { ...rest, 'x-extensible-enum': known } : inner;
  };
  return open(schema) as Schema;
}

/** What says nothing about the type. */
const annotations: ReadonlySet<string> = new Set([
  'description',
  'example',
  'examples',
  'default',
  'deprecated',
]);

/** `Error` is already a name in JavaScript. */
export const typeName = (title: string) => (title === 'Error' ? 'ErrorBody' : title);

const isWord = (type: string) => /^\w+$/.test(type);
const bracketed = (type: string) => (isWord(type) ? type : `(${type})`);
const arrayOf = (type: string) => (isWord(type) ? `readonly ${type}[]` : `ReadonlyArray<${type}>`);

const valuesOf = (values: readonly unknown[]) => values.map(value => JSON.stringify(value)).join(' | ');

/** Beside known values, so that editors still suggest these: `"a" | "b" | string` is only `string`. */
const anyString = '(string & {})';

function unionOf(choices: readonly Schema[], indent: string): string {
  const hasValues = choices.some(one => one.enum || 'const' in one);
  const types = choices.map(one => typeOf(one, indent));
  return [...new Set(types.map(type => (type === 'string' && hasValues ? anyString : type)))].join(' | ');
}

function objectType(schema: Schema, indent: string): string {
  const properties = Object.entries(schema.properties ?? {});
  const rest =
    Object.values(schema.patternProperties ?? {})[0] ??
    (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
  if (properties.length === 0) return `Readonly<Record<string, ${rest ? typeOf(rest, indent) : 'unknown'}>>`;
  if (rest)
    throw new Error(
      'An object has both properties and additionalProperties: extend tools/generate/schema-type.ts',
    );
  const inner = `${indent}  `;
  const lines = properties.map(([name, property]) => {
    const optional = !schema.required?.includes(name);
    const type = typeOf(property, inner);
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    return `${comment(withoutValues(property), inner)}${inner}readonly ${key}${optional ? '?' : ''}: ${type}${optional ? ' | undefined' : ''};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/** The type names the known values of an open enum: its comment need not. */
const withoutValues = ({ description }: Schema) =>
  description?.replace(/(Known values: .*\. )?More (values )?may be added\.$/, '').trim();

/** Groups of fields of which one is required: an `anyOf` with only `required`. */
function withChoices(schema: Schema, choices: readonly Schema[], indent: string): string {
  const { anyOf: _any, oneOf: _one, ...base } = schema;
  const branches = choices.map(choice => {
    if (Object.keys(choice).some(key => key !== 'required')) {
      throw new Error('An anyOf has more than required: extend tools/generate/schema-type.ts');
    }
    const chosen = Object.entries(schema.properties ?? {}).filter(([name]) =>
      choice.required?.includes(name),
    );
    return `{ ${chosen.map(([name, property]) => `readonly ${name}: ${typeOf(property, indent)}`).join('; ')} }`;
  });
  return `${objectType(base, indent)} & (${branches.join(' | ')})`;
}

export function comment(text: string | undefined, indent = ''): string {
  return text ? `${indent}/** ${commentText(text)} */\n` : '';
}

/** On one line, and without what would end the comment. */
export const commentText = (text: string) => text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ').trim();
