/** As much of JSON Schema as the OpenAPI document of ours uses. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
};

/** A schema as a TypeScript type. What it cannot say it refuses, so that no type is quietly wrong. */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref) return typeName(schema.$ref.split('/').at(-1)!);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ');
  if (schema.allOf) return schema.allOf.map(one => bracketed(typeOf(one, indent))).join(' & ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && schema.properties) return withChoices(schema, choices, indent);
  if (choices) return [...new Set(choices.map(one => typeOf(one, indent)))].join(' | ');
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
      return `readonly ${bracketed(typeOf(schema.items ?? {}, indent))}[]`;
    case 'object':
      return objectType(schema, indent);
    case undefined:
      if (Object.keys(schema).every(key => key === 'description')) return 'unknown';
  }
  throw new Error(`No type is known for ${JSON.stringify(schema)}: teach tools/generate/schema-type.ts`);
}

/** `Error` is a name that JavaScript has already. */
export const typeName = (title: string) => (title === 'Error' ? 'ErrorBody' : title);

const bracketed = (type: string) => (/[|&\s]/.test(type) && !type.startsWith('{') ? `(${type})` : type);

function objectType(schema: Schema, indent: string): string {
  const properties = Object.entries(schema.properties ?? {});
  const rest =
    Object.values(schema.patternProperties ?? {})[0] ??
    (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
  if (properties.length === 0) return `Readonly<Record<string, ${rest ? typeOf(rest, indent) : 'unknown'}>>`;
  if (rest) throw new Error('An object has both fields and a rest: teach tools/generate/schema-type.ts');
  const inner = `${indent}  `;
  const lines = properties.map(([name, property]) => {
    const optional = !schema.required?.includes(name);
    const type = typeOf(property, inner);
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    return `${comment(property.description, inner)}${inner}readonly ${key}${optional ? '?' : ''}: ${type}${optional ? ' | undefined' : ''};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/** Fields of which one group or another must be there: `anyOf` of nothing but `required`. */
function withChoices(schema: Schema, choices: readonly Schema[], indent: string): string {
  const { anyOf: _any, oneOf: _one, ...base } = schema;
  const branches = choices.map(choice => {
    if (Object.keys(choice).some(key => key !== 'required')) {
      throw new Error('A choice says more than what is required: teach tools/generate/schema-type.ts');
    }
    const chosen = Object.entries(schema.properties ?? {}).filter(([name]) =>
      choice.required?.includes(name),
    );
    return `{ ${chosen.map(([name, property]) => `readonly ${name}: ${typeOf(property, indent)}`).join('; ')} }`;
  });
  return `${objectType(base, indent)} & (${branches.join(' | ')})`;
}

export function comment(text: string | undefined, indent = ''): string {
  return text ? `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n` : '';
}
