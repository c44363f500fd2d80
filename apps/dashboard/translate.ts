import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Language } from '@signpost/contract';
import type { Plugin, Rolldown } from 'vite';
import { textAt, textsOf } from './catalogue.ts';
import type { Forms } from './src/strings/fill.ts';

const strings = join(import.meta.dirname, 'src/strings');

/** Texts by their marks. Words are pairs of an object that is empty in English. */
type Text = string | Readonly<Record<string, string>>;
type Texts = ReadonlyMap<string, Text>;

/** What stands for a text until the scripts are made: whole literals, and texts that were joined with others. */
const marks = /(["'`])__(?:text|forms|words):(.+?)__\1|__text:(.+?)__/g;

/** Marks are made of names alone, so that the hashes of scripts are the same in every build of the same source. */
const mark = (kind: 'text' | 'forms' | 'words', key: string) => `__${kind}:${key}__`;

/** French puts a space before some signs, at which no line may break: translators write an ordinary one. */
const spaced = (text: string, language: Language) =>
  language === 'fr'
    ? text.replaceAll(/ (?=[:»])|(?<=«) /g, '\u00a0').replaceAll(/ (?=[;?!%])/g, '\u202f')
    : text;

/** A script or page with the texts of a language in the place of their marks. */
export function putTexts(code: string, texts: Texts, language: Language): string {
  const find = (key: string) => {
    const text = texts.get(key);
    if (text === undefined) throw new Error(`${key} has no text in ${language}`);
    return text;
  };
  const literal = (text: string) => JSON.stringify(spaced(text, language));
  return code.replaceAll(marks, (_, quote: string | undefined, whole: string, part: string) => {
    if (quote === undefined) return spaced(String(find(part)), language).replaceAll(/[\\'"`$]/g, '\\$&');
    const text = find(whole);
    if (typeof text === 'string') return literal(text);
    // The mark is the value of `other`, or of a key that nothing asks for; the rest of the object follows it.
    const { other = '', ...rest } = text;
    return [
      literal(other),
      ...Object.entries(rest).map(([key, one]) => `${JSON.stringify(key)}:${literal(one)}`),
    ].join();
  });
}

/** A catalogue in English with marks in place of its texts, which go to `texts`. */
export function markTexts(source: string, file: string, texts: Map<string, string | Forms>): string {
  const name = basename(file, '.ts');
  return textsOf(source, file)
    .toSorted((a, b) => b.start - a.start)
    .reduce((code, { path, text, start, end }) => {
      const key = [name, ...path].join('|');
      texts.set(key, text);
      const marked =
        typeof text === 'string' ? JSON.stringify(mark('text', key)) : `{ other: '${mark('forms', key)}' }`;
      return code.slice(0, start) + marked + code.slice(end);
    }, source);
}

const serverMessages = 'server-messages';

/** The texts of a language: those of its own catalogues, for every mark of the English ones. */
async function readTexts(language: Language, english: Texts): Promise<Texts> {
  if (language === 'en') return new Map<string, Text>([...english, [serverMessages, {}]]);
  const folder = join(strings, language);
  const catalogues = new Map(
    await Promise.all(
      globSync('*.ts', { cwd: folder }).map(async file => {
        const [catalogue] = Object.values(await import(pathToFileURL(join(folder, file)).href));
        return [basename(file, '.ts'), catalogue] as const;
      }),
    ),
  );
  const texts = [...english.keys()].map(key => {
    const [name = '', ...path] = key.split('|');
    const text = textAt(catalogues.get(name), path);
    if (text === undefined) throw new Error(`${key} has no text in ${language}`);
    return [key, text as Text] as const;
  });
  return new Map<string, Text>([...texts, [serverMessages, catalogues.get(serverMessages) as Text]]);
}

/** Scripts with texts, and those that load them by name: of these each language has its own. */
function findTranslated(chunks: readonly Rolldown.OutputChunk[]): readonly Rolldown.OutputChunk[] {
  const names = (code: string) => code.match(scriptName) ?? [];
  const found = new Set(
    chunks.filter(({ code }) => code.search(marks) >= 0).map(({ fileName }) => basename(fileName)),
  );
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { fileName, code } of chunks)
      if (names(code).some(name => found.has(name))) found.add(basename(fileName));
  }
  return chunks.filter(({ fileName }) => found.has(basename(fileName)));
}

const scriptName = /[\w-]+-[\w-]{8}\.js/g;

/** The name of a script in a language. What it says decides about it as much as what it does, because browsers keep it by its name. */
const nameIn = (name: string, said: string) =>
  name.replace(
    /[\w-]{8}\.js$/,
    hash =>
      `${createHash('sha256')
        .update(hash + said)
        .digest('base64url')
        .slice(0, 8)}.js`,
  );

/**
 * Every language from one build: marks stand for texts until the scripts are made, and each language puts its texts in
 * their place, so that a dashboard has one language and no code that chooses.
 */
export function translate(languages: readonly Language[]): Plugin {
  const english = new Map<string, string | Forms>();
  const catalogues = new Set(
    globSync('*.ts', { cwd: join(strings, 'de') }).map(file => basename(file, '.ts')),
  );
  return {
    name: 'translate',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/strings\/[\w-]+\.ts$/ },
      handler(source, id) {
        const name = basename(id, '.ts');
        if (name === serverMessages)
          return source.replace('= {};', `= { '': '${mark('words', serverMessages)}' };`);
        return catalogues.has(name) ? markTexts(source, basename(id), english) : undefined;
      },
    },
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const chunks = findTranslated(Object.values(bundle).filter(one => one.type === 'chunk'));
        const page = bundle['index.html'] as Rolldown.OutputAsset;
        for (const language of languages) {
          const texts = await readTexts(language, english);
          const said = JSON.stringify([...texts]);
          const renamed = new Map(
            chunks.map(({ fileName }) => [basename(fileName), nameIn(basename(fileName), said)]),
          );
          const inLanguage = (code: string) =>
            putTexts(code, texts, language).replaceAll(scriptName, name => renamed.get(name) ?? name);
          for (const { fileName, code } of chunks)
            this.emitFile({ type: 'asset', fileName: inLanguage(fileName), source: inLanguage(code) });
          this.emitFile({
            type: 'asset',
            fileName: language === 'en' ? 'index.html' : `index.${language}.html`,
            source: inLanguage(String(page.source)).replace('<html lang="en">', `<html lang="${language}">`),
          });
        }
        for (const { fileName } of chunks) delete bundle[fileName];
        if (!languages.includes('en')) delete bundle['index.html'];
      },
    },
  };
}
