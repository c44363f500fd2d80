import { parseSync } from '@swc/core';

/** A text for people that stands in a component, and where. */
export type Literal = { readonly text: string; readonly line: number };

/** Attributes that people read or hear. */
const spoken = new Set([
  'label',
  'placeholder',
  'title',
  'description',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'alt',
]);

type Node = {
  readonly type: string;
  readonly span: { readonly start: number; readonly end: number };
} & Readonly<Record<string, unknown>>;

/** The texts of a source file that belong into the catalogue: text between tags, and what those attributes are set to. */
export function literalsOf(source: string): readonly Literal[] {
  const bytes = Buffer.from(source);
  const program = parseSync(source, { syntax: 'typescript', tsx: true, target: 'es2024' }) as unknown as Node;
  const found: Literal[] = [];
  // Positions go on from file to file, and a file begins at its first token: its end is the one that is known.
  const offset = program.span.end - bytes.length;
  const add = (text: string, { span }: Node) => {
    const readable = text.replaceAll(/&\w+;/g, ' ').replaceAll(/\s+/g, ' ').trim();
    if (!/\p{L}{2}/u.test(readable)) return;
    const before = bytes.subarray(0, span.start - offset).toString();
    found.push({ text: readable, line: before.split('\n').length });
  };
  visit(program, node => {
    if (node.type === 'JSXText') add(String(node.value), node);
    if (node.type === 'JSXExpressionContainer') for (const text of textsOf(node.expression)) add(...text);
    if (node.type === 'JSXAttribute' && spoken.has(nameOf(node.name)))
      for (const text of textsOf(node.value)) add(...text);
  });
  return [...new Map(found.map(one => [`${one.line} ${one.text}`, one])).values()];
}

/** What an expression may come to, as far as it is written there: itself, both sides of a choice, the parts of a template. */
function textsOf(value: unknown): readonly (readonly [text: string, node: Node])[] {
  if (!isNode(value)) return [];
  switch (value.type) {
    case 'StringLiteral':
      return [[String(value.value), value]];
    case 'TemplateLiteral':
      return [[(value.quasis as readonly { readonly raw: string }[]).map(({ raw }) => raw).join(' '), value]];
    case 'ConditionalExpression':
      return [...textsOf(value.consequent), ...textsOf(value.alternate)];
    case 'JSXExpressionContainer':
    case 'ParenthesisExpression':
      return textsOf(value.expression);
    default:
      return [];
  }
}

function visit(value: unknown, see: (node: Node) => void, isAttribute = false): void {
  if (Array.isArray(value)) {
    for (const part of value) visit(part, see, isAttribute);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  // An attribute's own expression is judged by the attribute's name.
  if (isNode(value) && !(isAttribute && value.type === 'JSXExpressionContainer')) see(value);
  const inAttribute = isNode(value) && value.type === 'JSXAttribute';
  for (const part of Object.values(value)) visit(part, see, inAttribute);
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'span' in value;

const nameOf = (name: unknown): string => (isNode(name) && typeof name.value === 'string' ? name.value : '');
