import { children, list, type Node, strings } from './document.ts';

/** The JSON types that a schema allows; undefined where it does not restrict them. */
export function typesOf(schema: Node): readonly string[] | undefined {
  const { type } = schema.value;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return strings(schema, 'type');
  const values = valuesOf(schema);
  return values && [...new Set(values.map(jsonType))];
}

/** The values of `enum` or `const`; undefined where any value is allowed. */
export function valuesOf({ value }: Node): readonly unknown[] | undefined {
  if (Array.isArray(value.enum)) return value.enum;
  return 'const' in value ? [value.const] : undefined;
}

/** Whether every value of type `type` is of one of `types`. */
export function covers(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** A schema merged with all members of its `allOf`. */
export function merged(schema: Node): Node {
  const members = list(schema, 'allOf').map(merged);
  if (members.length === 0) return schema;
  const { allOf: _allOf, ...own } = schema.value;
  return [...members, { value: own, root: schema.root }].reduce((all, member) => ({
    value: {
      ...all.value,
      ...member.value,
      ...union(all, member, 'properties'),
      ...both(all, member, 'required'),
    },
    root: schema.root,
  }));
}

export function alternatives(schema: Node): readonly Node[] {
  return [...list(schema, 'anyOf'), ...list(schema, 'oneOf')];
}

function union(a: Node, b: Node, key: string): object {
  const names = [...children(a, key), ...children(b, key)].map(([name, { value }]) => [name, value]);
  return names.length > 0 ? { [key]: Object.fromEntries(names) } : {};
}

function both(a: Node, b: Node, key: string): object {
  const names = new Set([...strings(a, key), ...strings(b, key)]);
  return names.size > 0 ? { [key]: [...names] } : {};
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
