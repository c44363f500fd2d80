import { svgAttributes, svgElements, svgLimits } from '@signpost/contract/svg.ts';

/** Why an SVG is refused, in words for the person who sent it. */
export class SvgRefusal extends Error {
  override readonly name = 'SvgRefusal';
}

const { elements: maxElements, depth: maxDepth } = svgLimits;

const number = /^[-+]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:e[-+]?\d{1,3})?(?:px|%)?$/i;
const numbers = /^[-+\d.e\s,%]*$/i;
const pathData = /^[-+\d.eMmZzLlHhVvCcSsQqTtAa\s,]*$/;
const transform = /^(?:[\s,]*(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([-+\d.e\s,]*\))*[\s,]*$/i;
const word = /^[a-zA-Z-]{1,40}$/;
const color = /^(?:#[0-9a-fA-F]{3,8}|[a-zA-Z]{1,30}|(?:rgb|hsl)a?\([-\d.\s,%/]*\))$/;
const reference = /^url\(#([A-Za-z_][\w.-]{0,63})\)$/;
const name = /^[A-Za-z_][\w.-]{0,63}$/;

type Rule = RegExp | 'paint' | 'reference' | 'id';

/** Every attribute that is taken, and what its value must look like. */
const attributes: ReadonlyMap<string, Rule> = new Map<string, Rule>(
  (
    [
      [svgAttributes.lengths, number],
      [svgAttributes.amounts, number],
      [svgAttributes.keywords, word],
      [svgAttributes.paths, pathData],
      [svgAttributes.points, numbers],
      [svgAttributes.dashes, /^(?:none|[-+\d.e\s,%]*)$/i],
      [svgAttributes.transforms, transform],
      [svgAttributes.paints, 'paint'],
      [svgAttributes.colors, color],
      [svgAttributes.references, 'reference'],
      [svgAttributes.names, 'id'],
    ] as const
  ).flatMap(([names, rule]) => names.map(one => [one, rule] as const)),
);

/** Of the outermost element only; what it says beyond its size is dropped. */
const rootAttributes = new Set([
  'xmlns',
  'viewBox',
  'version',
  'xml:space',
  'preserveAspectRatio',
  'baseProfile',
]);

/**
 * Rebuilds an SVG from what is allowed, and refuses it where it holds anything else: nothing of the text that was sent is
 * passed on but values that match their rule. Names are prefixed, so that two pictures on a page do not share them.
 */
export function rebuildSvg(text: string, prefix: string): string {
  if (Buffer.byteLength(text) > svgLimits.bytes) throw new SvgRefusal('The SVG is larger than 200 KiB.');
  const reader = { text: text.replace(/^\uFEFF/, ''), at: 0 };
  skip(reader, /\s*(?:<\?xml [^?<>&]*\?>)?\s*/y);
  const open: string[] = [];
  const output: string[] = [];
  let count = 0;
  let viewBox: string | null = null;
  for (;;) {
    // White space, and comments, which are dropped. Text between elements would only be shown by text elements.
    skip(reader, /(?:\s+|<!--(?:(?!--)[\s\S])*-->)*/y);
    if (reader.at >= reader.text.length) break;
    const closing = take(reader, /<\/([A-Za-z]+)\s*>/y);
    if (closing) {
      const last = open.pop();
      if (last !== closing[1]) throw new SvgRefusal('The SVG is not well-formed.');
      if (open.length === 0) break;
      output.push(`</${last}>`);
      continue;
    }
    const tag = take(
      reader,
      /<([A-Za-z][\w:-]*)((?:\s+[A-Za-z_][\w:.-]*\s*=\s*(?:"[^"<&]*"|'[^'<&"]*'))*)\s*(\/?)>/y,
    );
    if (!tag) throw new SvgRefusal('The SVG is not well-formed, or contains text, entities or instructions.');
    const [, element = '', given = '', isEmpty] = tag;
    if (++count > maxElements) throw new SvgRefusal(`The SVG has more than ${maxElements} elements.`);
    if (open.length >= maxDepth) throw new SvgRefusal(`The SVG is nested deeper than ${maxDepth} levels.`);
    if (open.length === 0) {
      if (element !== 'svg' || viewBox !== null) throw new SvgRefusal('The file is not one SVG.');
      const root = parseRoot(given, prefix);
      viewBox = root.viewBox;
      output.push(`<g${root.attributes}>`);
      if (isEmpty) break;
    } else {
      if (!svgElements.has(element))
        throw new SvgRefusal(`The SVG contains <${element.slice(0, 40)}>, which is not allowed.`);
      const isClipped = open.includes('clipPath') || element === 'clipPath';
      output.push(`<${element}${rewriteAttributes(given, prefix, isClipped)}${isEmpty ? '/' : ''}>`);
    }
    if (!isEmpty) open.push(element);
  }
  skip(reader, /(?:\s+|<!--(?:(?!--)[\s\S])*-->)*/y);
  if (open.length > 0 || viewBox === null || reader.at < reader.text.length)
    throw new SvgRefusal('The SVG is not well-formed.');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${output.join('')}</g></svg>`;
}

type Reader = { readonly text: string; at: number };

function take(reader: Reader, what: RegExp): RegExpExecArray | null {
  what.lastIndex = reader.at;
  const found = what.exec(reader.text);
  if (found) reader.at = what.lastIndex;
  return found;
}

const skip = (reader: Reader, what: RegExp): void => void take(reader, what);

const parseAttributes = (given: string): (readonly [name: string, value: string])[] =>
  [...given.matchAll(/([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
    match => [match[1]!, (match[2] ?? match[3] ?? '').trim()] as const,
  );

function parseRoot(given: string, prefix: string): { readonly viewBox: string; readonly attributes: string } {
  const pairs = parseAttributes(given);
  const findAttribute = (wanted: string) => pairs.find(([key]) => key === wanted)?.[1];
  const box = findAttribute('viewBox');
  const size = ['width', 'height'].map(key => Number.parseFloat(findAttribute(key) ?? ''));
  const edges = box === undefined ? [0, 0, ...size] : box.split(/[\s,]+/).map(Number);
  if (edges.length !== 4 || !edges.every(Number.isFinite) || edges[2]! <= 0 || edges[3]! <= 0)
    throw new SvgRefusal('The SVG has no valid viewBox.');
  const own = pairs.filter(
    ([key]) => !rootAttributes.has(key) && !['width', 'height', 'x', 'y', 'id'].includes(key),
  );
  return {
    viewBox: edges.join(' '),
    // Names of other vocabularies are declared here by drawing programs; what uses them is refused.
    attributes: written(
      own.filter(([key]) => !key.startsWith('xmlns:')),
      prefix,
      false,
    ),
  };
}

const rewriteAttributes = (given: string, prefix: string, isClipped: boolean): string =>
  written(parseAttributes(given), prefix, isClipped);

function written(pairs: readonly (readonly [string, string])[], prefix: string, isClipped: boolean): string {
  const seen = new Set<string>();
  return pairs
    .map(([key, value]) => {
      const rule = attributes.get(key);
      if (!rule)
        throw new SvgRefusal(`The SVG contains the attribute ${key.slice(0, 40)}, which is not allowed.`);
      if (seen.has(key)) throw new SvgRefusal('The SVG is not well-formed.');
      seen.add(key);
      // Clip paths of clip paths of clip paths: each level multiplies what has to be drawn.
      if (key === 'clip-path' && isClipped)
        throw new SvgRefusal('The SVG clips a clip path, which is not allowed.');
      const safe = valueBy(rule, value, prefix);
      if (safe === null) throw new SvgRefusal(`The SVG has an invalid value for ${key}.`);
      return ` ${key}="${safe}"`;
    })
    .join('');
}

function valueBy(rule: Rule, value: string, prefix: string): string | null {
  if (rule === 'id') return name.test(value) ? prefix + value : null;
  const target = rule === 'paint' || rule === 'reference' ? reference.exec(value) : null;
  if (target) return `url(#${prefix}${target[1]})`;
  if (rule === 'reference') return value === 'none' ? value : null;
  return (rule === 'paint' ? color : rule).test(value) ? value : null;
}
