import ts from 'typescript';

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

/** The texts of a source file that belong into the catalogue: text between tags, and what those attributes are set to. */
export function literalsOf(source: string): readonly Literal[] {
  const file = ts.createSourceFile('file.tsx', source, ts.ScriptTarget.Latest, true);
  const found: Literal[] = [];
  const add = (text: string, node: ts.Node) => {
    const readable = text.replaceAll(/&\w+;/g, ' ').replaceAll(/\s+/g, ' ').trim();
    if (!/\p{L}{2}/u.test(readable)) return;
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    found.push({ text: readable, line: line + 1 });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) add(node.text, node);
    // An attribute's own expression is judged by the attribute's name.
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent))
      for (const text of textsOf(node)) add(...text);
    if (ts.isJsxAttribute(node) && spoken.has(node.name.getText(file)))
      for (const text of textsOf(node.initializer)) add(...text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...new Map(found.map(one => [`${one.line} ${one.text}`, one])).values()];
}

/** What an expression may come to, as far as it is written there: itself, both sides of a choice, the parts of a template. */
function textsOf(node: ts.Node | undefined): readonly (readonly [text: string, node: ts.Node])[] {
  if (!node) return [];
  if (ts.isStringLiteralLike(node)) return [[node.text, node]];
  if (ts.isTemplateExpression(node))
    return [
      [
        [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' '),
        node,
      ],
    ];
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) return textsOf(node.expression);
  return [];
}
