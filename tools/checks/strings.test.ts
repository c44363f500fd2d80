import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { literalsOf } from './strings/literals.ts';
import { joinedInComponent, joinedTexts } from './strings/sentences.ts';
import { stringFaults } from './strings.ts';

const texts = (source: string) => literalsOf(source).map(({ text }) => text);

describe('a component', () => {
  test.each([
    ['text between tags', '<p>Save it</p>', ['Save it']],
    ['text between others', '<p>{name} was <b>deleted</b></p>', ['was', 'deleted']],
    ['an attribute that people read', '<Field label="Name" placeholder={"Menu"} />', ['Name', 'Menu']],
    ['a name for screen readers', '<button aria-label="Close" />', ['Close']],
    ['a choice of two', "<p>{done ? 'Copied' : 'Copy'}</p>", ['Copied', 'Copy']],
    ['a template', '<Field title={`Page $' + '{page} of all`} />', ['Page of all']],
  ])('has words of its own by %s', (_, source, expected) => expect(texts(source)).toEqual(expected));

  test.each([
    ['the catalogue', '<Field label={text.name}>{text.help(name)}</Field>'],
    ['attributes for machines', '<Text size="sm" className="figures" data-state="open" href="/docs" />'],
    ['signs and single letters', '<p>{a} · {b}: <kbd>K</kbd> 12 &nbsp;</p>'],
    ['strings outside of what is shown', "const key = 'signpost mode'; const element = <p>{text[key]}</p>;"],
  ])('has none by %s', (_, source) => expect(texts(source)).toEqual([]));

  test('names each at its line, whatever letters stand before it', () => {
    expect(literalsOf('// “größer”\nconst a = (\n  <p>\n    Hello\n  </p>\n);')).toMatchObject([
      { text: 'Hello' },
    ]);
    expect(literalsOf('// “größer”\nconst a =\n  <Field label="Name" />;')).toEqual([
      { text: 'Name', line: 3 },
    ]);
  });
});

describe('a sentence is one text', () => {
  test.each([
    ['a template', 'const t = { of: (name: string) => `Copy of $' + '{name}` };'],
    ['texts added up', "const t = { of: (name: string) => 'Copy of ' + name };"],
    ['a choice', "const t = { of: (one: boolean) => (one ? 'code' : 'codes') };"],
    ['a list', "const t = { of: (names: string[]) => names.join(', ') };"],
    ['a part of a text', "const t = { type: 'Type ' };"],
    ['a part of a text', "const t = { released: ', released' };"],
    [
      'a text within a text',
      "const t = { of: (n: number) => fill('{a} on {b}', { a: fill('x', {}), b: n }) };",
    ],
  ])('in the catalogue: %s', (what, source) => {
    expect(joinedTexts(source).map(({ text }) => text)).toContain(what);
  });

  test('a text with places is whole', () => {
    const forms = "{ one: '{count} code of {name}', other: '{count} codes of {name}' }";
    expect(
      joinedTexts(`const t = { of: (count, name) => fill(${forms}, { count, name }), sum: '▲ {sum}' };`),
    ).toEqual([]);
  });

  const component = (body: string) =>
    joinedInComponent(
      `import { codesText } from '../../strings/codes.ts';\nconst text = codesText.page;\n${body}`,
    );

  test.each([
    ['around an element', 'const a = <p>{text.before} <b>{name}</b> {text.after}</p>;'],
    ['before a time', 'const a = <p>{text.closed} <TimeAgo value={at} /></p>;'],
    ['called, over a line', "const a = (\n  <p>\n    {text.of(name)}{' '}\n    <b>{name}</b>\n  </p>\n);"],
    ['in a template', 'const a = `$' + '{text.times} $' + '{text.when}.`;'],
    ['with a value in a template', 'const a = `$' + '{text.leads} $' + '{url}`;'],
  ])('in a component, %s', (_, body) => expect(component(body)).toHaveLength(1));

  test.each([
    ['a sentence with its parts', '<Sentence text={text.type} parts={{ name: <b>{name}</b> }} />'],
    ['two sentences', '<p>{text.body} {text.instead}</p>'],
    ['a label and its value', '<p aria-label={`$' + '{text.used}: $' + '{text.share}`} />'],
    ['an icon', '<p><Icon /> {text.name}</p>'],
  ])('%s may stand in a component', (_, body) => expect(component(`const a = ${body};`)).toEqual([]));
});

test('the dashboard has no words outside of its catalogue, and no sentence in parts', () => {
  expect(stringFaults(resolve(import.meta.dirname, '../..'))).toEqual([]);
});
