import { svgAttributes, svgElements, svgLimits, svgPaint, svgShapes } from '@signpost/contract/svg.ts';

/**
 * Drawing programs write more than shapes: styles, metadata, links to shapes. This writes an SVG in the few elements and
 * attributes that the server takes, or gives up where that would show something else. The server checks it again.
 */

/** Say something about the drawing, and draw nothing. */
const silent = new Set(['title', 'desc', 'metadata', 'namedview', 'style', 'script']);
const attributes = new Set(Object.values(svgAttributes).flat());
/** What changes the picture and has no counterpart. */
const effects = ['filter', 'mask', 'mix-blend-mode', 'marker-start', 'marker-mid', 'marker-end'];

/** The root and the group around the drawing. */
const ownElements = 2;

type Rule = { readonly selector: string; readonly style: CSSStyleDeclaration };
type Work = { readonly root: Element; readonly rules: readonly Rule[]; elements: number };

/** The drawing in shapes alone, or null where it has text, pictures or effects, or is too large. */
export function shapesOf(root: Element): string | null {
  const box = viewBoxOf(root);
  if (!box) return null;
  const work: Work = { root, rules: rulesOf(root), elements: 0 };
  try {
    const own = written(root, work, attribute => svgPaint.has(attribute));
    const content = [...root.children].map(child => drawn(child, work, 1)).join('');
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}"><g${own}>${content}</g></svg>`;
    return new TextEncoder().encode(svg).length <= svgLimits.bytes ? svg : null;
  } catch (error) {
    if (error instanceof NoShape) return null;
    throw error;
  }
}

class NoShape extends Error {
  override readonly name = 'NoShape';
}

function viewBoxOf(root: Element): string | null {
  const given = root.getAttribute('viewBox');
  const size = ['width', 'height'].map(name => Number.parseFloat(root.getAttribute(name) ?? ''));
  const box =
    given === null
      ? [0, 0, ...size]
      : given
          .trim()
          .split(/[\s,]+/)
          .map(Number);
  return box.length === 4 && box.every(Number.isFinite) ? box.join(' ') : null;
}

function drawn(element: Element, work: Work, depth: number): string {
  const name = element.localName;
  const isForeign = element.namespaceURI !== 'http://www.w3.org/2000/svg';
  if (isForeign || silent.has(name)) return '';
  if (++work.elements > svgLimits.elements - ownElements || depth > svgLimits.depth - ownElements)
    throw new NoShape();
  if (name === 'use') return used(element, work, depth);
  if (!svgElements.has(name)) throw new NoShape();
  const own = written(element, work, attribute => attributes.has(attribute));
  const content = [...element.children].map(child => drawn(child, work, depth + 1)).join('');
  return content === '' ? `<${name}${own}/>` : `<${name}${own}>${content}</${name}>`;
}

/** A link to a shape becomes that shape. */
function used(element: Element, work: Work, depth: number): string {
  const id = hrefOf(element);
  const target = id && work.root.querySelector(`#${CSS.escape(id)}`);
  if (!target || !svgShapes.includes(target.localName)) throw new NoShape();
  const [x, y] = ['x', 'y'].map(name => Number.parseFloat(element.getAttribute(name) ?? '0'));
  const own = written(element, work, attribute => svgPaint.has(attribute));
  const moves = [element.getAttribute('transform'), x || y ? `translate(${x} ${y})` : null]
    .filter(Boolean)
    .join(' ');
  const content = drawn(target, work, depth + 1).replaceAll(/ id="[^"]*"/g, '');
  return `<g${own}${moves && ` transform="${safe(moves)}"`}>${content}</g>`;
}

const hrefOf = (element: Element): string | null =>
  /^#(.+)$/.exec(
    element.getAttribute('href') ?? element.getAttributeNS('http://www.w3.org/1999/xlink', 'href') ?? '',
  )?.[1] ?? null;

/** Attributes and styles as attributes; where one property has several values, that of the style wins, as in a browser. */
function written(element: Element, work: Work, isTaken: (attribute: string) => boolean): string {
  const values = new Map<string, string>();
  for (const { name, value } of element.attributes) values.set(name, value);
  for (const { selector, style } of work.rules) if (element.matches(selector)) addStyle(values, style);
  addStyle(values, (element as SVGElement).style);
  if (values.get('display') === 'none' || values.get('visibility') === 'hidden') return ' opacity="0"';
  if (effects.some(effect => (values.get(effect) ?? 'none') !== 'none')) throw new NoShape();
  // A gradient that takes its colours from another one.
  if (element.localName.endsWith('Gradient') && hrefOf(element) !== null) throw new NoShape();
  return [...values]
    .filter(([name]) => isTaken(name))
    .map(([name, value]) => ` ${name}="${safe(plain(value))}"`)
    .join('');
}

function addStyle(values: Map<string, string>, style: CSSStyleDeclaration): void {
  for (const name of style) values.set(name, style.getPropertyValue(name));
}

/** As attributes have it: no quotation marks around a reference, and no unit behind a length. */
const plain = (value: string): string =>
  value
    .trim()
    .replace(/^url\("?(#[^")]+)"?\)$/, 'url($1)')
    .replaceAll(/(\d)px\b/g, '$1');

/** The value goes into an attribute; whether it is valid is for the server to say. */
const safe = (value: string): string => {
  if (/["<&]/.test(value)) throw new NoShape();
  return value;
};

/** The rules of its style sheets, read but never put into the page. */
function rulesOf(root: Element): Rule[] {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([...root.querySelectorAll('style')].map(style => style.textContent ?? '').join('\n'));
  return [...sheet.cssRules].flatMap(rule =>
    rule instanceof CSSStyleRule ? [{ selector: rule.selectorText, style: rule.style }] : [],
  );
}
