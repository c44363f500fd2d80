import ts from 'typescript';
import type { Literal } from './literals.ts';

/** Elements that stand in the flow of a sentence. */
const inline = new Set([
  'b',
  'i',
  'code',
  'Code',
  'Anchor',
  'LinkAnchor',
  'TimeAgo',
  'Command',
  'kbd',
  'Kbd',
]);

/** Sentences of the catalogue that are put together from parts, which no other language could put in its own order. */
export function joinedTexts(source: string): readonly Literal[] {
  return walk(source, (node, add) => {
    if (ts.isTemplateExpression(node)) add(node, 'a template');
    if (isPlus(node) && !ts.isBinaryExpression(node.parent)) add(node, 'texts added up');
    if (ts.isConditionalExpression(node)) add(node, 'a choice');
    if (ts.isCallExpression(node) && /\.(join|concat)$/.test(node.expression.getText())) add(node, 'a list');
    // A whole text needs no room beside it, and begins with no sign that ends another one.
    if (ts.isStringLiteralLike(node) && /^\s|\s$|^[,.;:]\s/.test(node.text)) add(node, 'a part of a text');
    if (ts.isCallExpression(node) && node.expression.getText() === 'fill' && holdsFill(node))
      add(node, 'a text within a text');
  });
}

/** The same in a component: texts of the catalogue around an element, or in one template. */
export function joinedInComponent(source: string): readonly Literal[] {
  const file = parse(source);
  const known = catalogueNames(file);
  const isText = (node: ts.Node | undefined): boolean => {
    if (!node) return false;
    if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) return isText(node.expression);
    if (ts.isCallExpression(node)) return isText(node.expression);
    if (ts.isElementAccessExpression(node)) return isText(node.expression);
    if (ts.isBinaryExpression(node)) return isText(node.right);
    if (ts.isConditionalExpression(node)) return isText(node.whenTrue) || isText(node.whenFalse);
    if (ts.isPropertyAccessExpression(node)) return isText(node.expression);
    return ts.isIdentifier(node) && known.has(node.text);
  };
  return walk(source, (node, add) => {
    if (ts.isTemplateExpression(node) && node.templateSpans.some(({ expression }) => isText(expression))) {
      const signs = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('');
      // "Name: value" stands apart from its label in every language.
      if (!/^:? ?$/.test(signs)) add(node, 'a template of texts');
      else if (!signs.includes(':') && node.templateSpans.some(({ expression }) => !isText(expression)))
        add(node, 'a text and a value');
    }
    if (!ts.isJsxElement(node) && !ts.isJsxFragment(node)) return;
    const children = node.children.filter(child => !isNewLine(child));
    for (const [at, child] of children.entries()) {
      if (!isText(child)) continue;
      const [before, after] = [neighbour(children, at, -1), neighbour(children, at, 1)];
      if ([before, after].some(isInline)) add(child, 'a text beside an element');
    }
  });
}

type Add = (node: ts.Node, what: string) => void;

function walk(source: string, look: (node: ts.Node, add: Add) => void): readonly Literal[] {
  const file = parse(source);
  const found: Literal[] = [];
  const add: Add = (node, what) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    found.push({ text: what, line: line + 1 });
  };
  const visit = (node: ts.Node): void => {
    look(node, add);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...new Map(found.map(one => [`${one.line} ${one.text}`, one])).values()];
}

const parse = (source: string) => ts.createSourceFile('file.tsx', source, ts.ScriptTarget.Latest, true);

const isPlus = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;

const holdsFill = (call: ts.CallExpression): boolean => {
  const [, values] = call.arguments;
  return values !== undefined && /\bfill\(/.test(values.getText());
};

/** What is imported from `strings/`, and what is taken out of it by name. */
function catalogueNames(file: ts.SourceFile): ReadonlySet<string> {
  const known = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && /\/strings\/[\w-]+\.ts'$/.test(node.moduleSpecifier.getText(file)))
      node.importClause?.namedBindings?.forEachChild(one => {
        if (ts.isImportSpecifier(one)) known.add(one.name.text);
      });
    if (ts.isVariableDeclaration(node) && node.initializer) {
      const root = node.initializer.getText(file).match(/^\w+/)?.[0];
      const isPath = /^\w+(\.\w+|\[[^\]]*\])*$/.test(node.initializer.getText(file));
      if (root !== undefined && isPath && known.has(root)) addNames(node.name, known);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return known;
}

function addNames(name: ts.BindingName, known: Set<string>): void {
  if (ts.isIdentifier(name)) known.add(name.text);
  else for (const one of name.elements) if (ts.isBindingElement(one)) addNames(one.name, known);
}

/** Between two lines of source; it is nothing on the page. */
const isNewLine = (child: ts.JsxChild): boolean =>
  ts.isJsxText(child) && child.text.trim() === '' && child.text.includes('\n');

const isRoom = (child: ts.JsxChild | undefined): boolean =>
  child !== undefined &&
  ((ts.isJsxText(child) && child.text.trim() === '') ||
    (ts.isJsxExpression(child) &&
      child.expression !== undefined &&
      ts.isStringLiteralLike(child.expression) &&
      child.expression.text.trim() === ''));

/** The next child over a space. Without a space, elements stand apart by their layout. */
function neighbour(children: readonly ts.JsxChild[], at: number, step: 1 | -1): ts.JsxChild | undefined {
  const next = children[at + step];
  return isRoom(next) ? children[at + 2 * step] : undefined;
}

function isInline(child: ts.JsxChild | undefined): boolean {
  if (child === undefined) return false;
  const tag = ts.isJsxElement(child)
    ? child.openingElement.tagName
    : ts.isJsxSelfClosingElement(child)
      ? child.tagName
      : undefined;
  return tag !== undefined && inline.has(tag.getText());
}
