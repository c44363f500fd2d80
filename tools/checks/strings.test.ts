import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { literalsOf } from './strings/literals.ts';
import { strayStrings } from './strings.ts';

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

test('the dashboard has no words outside of its catalogue', () => {
  expect(strayStrings(resolve(import.meta.dirname, '../..'))).toEqual([]);
});
