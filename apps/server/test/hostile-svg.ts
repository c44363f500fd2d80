import fc from 'fast-check';

const elements = ['g', 'path', 'rect', 'circle', 'defs', 'linearGradient', 'stop', 'clipPath', 'polygon'];
const hostileElements = [
  'script',
  'style',
  'image',
  'use',
  'text',
  'foreignObject',
  'animate',
  'set',
  'a',
  'iframe',
  'svg:script',
  'SCRIPT',
];
const attributes = [
  'd',
  'x',
  'width',
  'fill',
  'stroke',
  'transform',
  'id',
  'opacity',
  'clip-path',
  'points',
  'offset',
];
const hostileAttributes = [
  'onload',
  'onclick',
  'href',
  'xlink:href',
  'style',
  'class',
  'xmlns:xlink',
  'begin',
  'from',
];
const values = [
  '1',
  '10',
  '#fff',
  'red',
  'none',
  'M0 0h1v1z',
  'url(#a)',
  'a',
  'translate(1 1)',
  '0.5',
  '50%',
];
const hostileValues = [
  'javascript:parent.ran()',
  'parent.ran()',
  'url(http://127.0.0.1:9/x)',
  'url(data:image/svg+xml,x)',
  '&quot;/&gt;',
  '"/><script>parent.ran()</script>',
  "'onload='parent.ran()",
  '&#106;avascript:parent.ran()',
  'expression(parent.ran())',
  'url(#a)/**/url(//x)',
  '\u0000',
  'x'.repeat(300),
];

const mostly = <Value>(usual: readonly Value[], rare: readonly Value[]): fc.Arbitrary<Value> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...rare) },
  );

const attribute = fc
  .tuple(mostly(attributes, hostileAttributes), mostly(values, hostileValues), fc.constantFrom('"', '"', "'"))
  .map(([name, value, quote]) => ` ${name}=${quote}${value}${quote}`);

const { node } = fc.letrec<{ node: string }>(tie => ({
  node: fc
    .tuple(
      mostly(elements, hostileElements),
      fc.uniqueArray(attribute, { maxLength: 3, selector: one => one.split('=')[0]! }),
      fc.oneof(
        { maxDepth: 4 },
        fc.constant(''),
        fc.array(tie('node'), { maxLength: 3 }).map(all => all.join('')),
      ),
      fc.nat({ max: 40 }),
    )
    .map(([name, given, content, odd]) => {
      if (odd === 0) return `<${name}${given.join('')}>`;
      if (odd === 1) return `<!--${content}--><![CDATA[${content}]]>`;
      return content === ''
        ? `<${name}${given.join('')}/>`
        : `<${name}${given.join('')}>${content}</${name}>`;
    }),
}));

/** Files that drawing programs, people and attackers might send: some of them are valid, most of them nearly. */
export const hostileSvg: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(node, { maxLength: 4 }),
    mostly([''], ['<!DOCTYPE svg [<!ENTITY a "b">]>', '<?xml-stylesheet href="x"?>', '\uFEFF', '<x/>']),
    mostly(['viewBox="0 0 10 10"'], ['onload="parent.ran()" viewBox="0 0 1 1"', '']),
  )
  .map(
    ([nodes, before, root]) =>
      `${before}<svg xmlns="http://www.w3.org/2000/svg" ${root}>${nodes.join('')}</svg>`,
  );
