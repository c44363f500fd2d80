import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Language } from '@signpost/contract';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { textAt, textsOf } from '../../../../apps/dashboard/catalogue.ts';

/** A test that is written in English, on a dashboard in another language: what it looks for is translated by the catalogues. */

const strings = join(import.meta.dirname, '../../../../apps/dashboard/src/strings');

type Pair = { readonly english: string; readonly other: string };

async function readPairs(language: Language): Promise<readonly Pair[]> {
  const files = globSync('*.ts', { cwd: join(strings, language) }).filter(
    file => file !== 'server-messages.ts',
  );
  const pairs = await Promise.all(
    files.map(async file => {
      const [catalogue] = Object.values(await import(join(strings, language, file)));
      return textsOf(readFileSync(join(strings, file), 'utf8'), basename(file)).flatMap(({ path, text }) => {
        const other = textAt(catalogue, path) as typeof text;
        if (typeof text === 'string' || typeof other === 'string')
          return [{ english: String(text), other: String(other) }];
        return Object.keys(text).map(form => ({
          english: text[form as 'other'],
          other: other[form as 'other'] ?? other.other,
        }));
      });
    }),
  );
  return pairs.flat().filter(({ english }) => english !== '');
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const place = /\\\{(\w+)\\\}/g;

/** The pattern of an English text, with each `{place}` as a group of that name. */
function patternOf(english: string): RegExp {
  const seen = new Set<string>();
  const source = escaped(english).replaceAll(place, (_, name: string) => {
    if (seen.has(name)) return '.*';
    seen.add(name);
    return `(?<${name}>.+)`;
  });
  return new RegExp(`^${source}$`);
}

/** What a text looks like in the other language: every translation of it, with its values. Spaces of any width are the same. */
export async function createTranslator(
  language: Language,
): Promise<(wanted: string | RegExp) => string | RegExp> {
  const pairs = (await readPairs(language)).map(pair => ({ ...pair, pattern: patternOf(pair.english) }));
  const toSource = (other: string, values: Readonly<Record<string, string>> = {}) =>
    escaped(other)
      .replaceAll(place, (_, name: string) => (values[name] === undefined ? '.*' : escaped(values[name])))
      .replaceAll(' ', '\\s');
  return wanted => {
    const text = typeof wanted === 'string' ? wanted : wanted.source.replaceAll(/^\^|\$$/g, '');
    const whole = pairs.filter(({ english }) => english === text);
    // A text that is nothing but a value would match whatever is looked for.
    const filled = pairs.filter(
      ({ english, pattern }) => /\p{L}{2}/u.test(english.replaceAll(/\{\w+\}/g, '')) && pattern.test(text),
    );
    const part = pairs.filter(({ english }) => text.length >= 8 && english.includes(text));
    // A pattern is written for a part of a text.
    const order = typeof wanted === 'string' ? [whole, filled, part] : [whole, part, filled];
    const found = order.find(some => some.length > 0);
    if (!found) return wanted;
    const sources = found.map(({ other, pattern }) => toSource(other, pattern.exec(text)?.groups));
    // A name that people have given may look like a text.
    if (found !== whole) sources.push(escaped(text));
    const [first] = found;
    const isOne = new Set(sources).size === 1 && found === whole && !/[ {]/.test(first!.other);
    return isOne ? first!.other : new RegExp([...new Set(sources)].join('|'), 'i');
  };
}

type Translate = (wanted: string | RegExp) => string | RegExp;

const byText = new Set(['getByText', 'getByLabel', 'getByPlaceholder', 'getByTitle', 'selectOption']);

/** The page as somebody sees it whose language is English, though it is in another. */
export function inLanguage<Target extends Page | Locator>(target: Target, translate: Translate): Target {
  const named = (options: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(options).map(([key, value]) => [
        key,
        (key === 'name' || key === 'hasText') && (typeof value === 'string' || value instanceof RegExp)
          ? anchored(translate(value), options.exact === true)
          : value,
      ]),
    );
  return new Proxy(target, {
    get(original, key) {
      const value = Reflect.get(original, key) as unknown;
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const [, ...rest] = given;
        const isExact = (rest[0] as { exact?: boolean } | undefined)?.exact === true;
        const args = given.map((one, at) => {
          if (at === 0 && byText.has(String(key)) && (typeof one === 'string' || one instanceof RegExp))
            return key === 'selectOption' ? labelOf(translate(one)) : anchored(translate(one), isExact);
          // An example that a field shows may be what is typed there.
          if (key === 'fill' && typeof one === 'string') return plain(translate(one), one);
          return typeof one === 'object' && one?.constructor === Object
            ? named(one as Record<string, unknown>)
            : one;
        });
        const result: unknown = (value as (...all: unknown[]) => unknown).apply(original, args);
        return isLocator(result) ? inLanguage(result, translate) : result;
      };
    },
  });
}

const anchored = (wanted: string | RegExp, isExact: boolean) =>
  wanted instanceof RegExp && isExact ? new RegExp(`^(?:${wanted.source})$`) : wanted;

const plain = (wanted: string | RegExp, typed: string) => (typeof wanted === 'string' ? wanted : typed);

const labelOf = (wanted: string | RegExp) => (typeof wanted === 'string' ? { label: wanted } : wanted);

const isLocator = (value: unknown): value is Locator =>
  typeof value === 'object' && value !== null && 'getByRole' in value && 'click' in value;

/** The language that a browser asks for, and what somebody has chosen in it. */
export const chooseLanguage = (context: BrowserContext, url: string, language: Language) =>
  context.addCookies([
    { name: 'signpost-language', value: language, domain: new URL(url).hostname, path: '/app' },
  ]);
