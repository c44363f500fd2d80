import { type ESTree, parseSync } from 'vite';
import type { Forms } from './src/strings/fill.ts';

/** A text of a catalogue: where it stands in its object, what it says, and where that is written in the source. */
export type CatalogueText = {
  readonly path: readonly string[];
  readonly text: string | Forms;
  readonly start: number;
  readonly end: number;
};

type Node = ESTree.Expression | ESTree.Argument | ESTree.ArrayExpressionElement;

/** Every text of a catalogue in English, `name.ts` of src/strings. */
export function textsOf(source: string, name: string): readonly CatalogueText[] {
  const found: CatalogueText[] = [];
  const { program } = parseSync(name, source);
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue;
    if (statement.declaration?.type !== 'VariableDeclaration') continue;
    for (const { init } of statement.declaration.declarations) if (init) collect(init, [], found);
  }
  return found;
}

function collect(typed: Node, path: readonly string[], found: CatalogueText[]): void {
  const node = typed?.type === 'TSAsExpression' ? typed.expression : typed;
  const text = textOf(node);
  if (text !== undefined) {
    found.push({ path, text, start: node!.start, end: node!.end });
    return;
  }
  if (node?.type === 'ObjectExpression') {
    for (const one of node.properties)
      if (one.type === 'Property') collect(one.value as Node, [...path, keyOf(one)], found);
  } else if (node?.type === 'ArrayExpression') {
    for (const [at, one] of node.elements.entries()) collect(one, [...path, String(at)], found);
  } else if (node?.type === 'ArrowFunctionExpression' && node.body.type === 'CallExpression') {
    collectFilled(node.body, path, found);
  }
}

/** `(name) => fill('…{name}…', { name })`: the text is the first argument, or one of the forms in it. */
function collectFilled(
  { arguments: [text] }: ESTree.CallExpression,
  path: readonly string[],
  found: CatalogueText[],
) {
  const forms = text?.type === 'ObjectExpression' ? formsOf(text) : undefined;
  if (forms) found.push({ path, text: forms, start: text!.start, end: text!.end });
  else if (text) collect(text, path, found);
}

function formsOf(node: ESTree.ObjectExpression): Forms | undefined {
  const forms = node.properties.map(one =>
    one.type === 'Property' ? [keyOf(one), textOf(one.value as Node)] : [],
  );
  return forms.some(([name]) => name === 'other') ? (Object.fromEntries(forms) as Forms) : undefined;
}

const textOf = (node: Node): string | undefined =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;

const keyOf = ({ key }: ESTree.ObjectProperty): string =>
  key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';

/** What stands at a path of a translated catalogue. */
export const textAt = (catalogue: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], catalogue);
