export type Json = { readonly [key: string]: unknown };

/** A part of an OpenAPI document together with the document, which references point into. */
export type Node = { readonly value: Json; readonly root: Json };

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The node at `key`, references followed, or undefined. */
export function at(node: Node | undefined, key: string): Node | undefined {
  return node && toNode(node.value[key], node.root);
}

/** The children of `key` by name: `paths`, `properties`, `responses` and the like. */
export function children(node: Node | undefined, key: string): ReadonlyMap<string, Node> {
  const parent = at(node, key);
  const entries = Object.keys(parent?.value ?? {}).map(name => [name, at(parent, name)] as const);
  return new Map(entries.filter((entry): entry is readonly [string, Node] => entry[1] !== undefined));
}

/** The members of the list at `key`. */
export function list(node: Node | undefined, key: string): readonly Node[] {
  const value = node?.value[key];
  if (node === undefined || !Array.isArray(value)) return [];
  return value.map(item => toNode(item, node.root)).filter(item => item !== undefined);
}

export function strings(node: Node | undefined, key: string): readonly string[] {
  const value = node?.value[key];
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
}

function toNode(value: unknown, root: Json): Node | undefined {
  if (!isObject(value)) return undefined;
  const { $ref, ...siblings } = value;
  if (typeof $ref !== 'string') return { value, root };
  const target = toNode(lookUp($ref, root), root);
  return target && { value: { ...target.value, ...siblings }, root };
}

function lookUp(reference: string, root: Json): unknown {
  if (!reference.startsWith('#/'))
    throw new Error(`Only references inside the document are followed: ${reference}`);
  const steps = reference
    .slice(2)
    .split('/')
    .map(step => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = steps.reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), root);
  if (found === undefined) throw new Error(`The reference ${reference} does not resolve`);
  return found;
}
