import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { languages } from '@signpost/contract/values.ts';
import { textAt, textsOf } from '../../apps/dashboard/catalogue.ts';

const strings = 'apps/dashboard/src/strings';
/** What is no catalogue: it has no texts, or none that differ between languages. */
const noCatalogue = new Set(['fill', 'language', 'translation', 'server-messages']);

type Text = string | Readonly<Record<string, string>>;

/** Everything that a language lacks or has too much, as lines that say what to add and where. */
export async function translationFaults(root: string): Promise<readonly string[]> {
  const folder = join(root, strings);
  const names = globSync('*.ts', { cwd: folder })
    .map(file => file.replace(/\.ts$/, ''))
    .filter(name => !name.includes('.') && !noCatalogue.has(name))
    .sort();
  const read = async (file: string) => Object.values(await import(pathToFileURL(join(root, file)).href))[0];
  const server = globSync('apps/server/src/**/*.ts', { cwd: root })
    .filter(file => !/\.(test|it)\.ts$/.test(file))
    .map(file => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const faults: string[] = [];
  for (const language of languages.filter(one => one !== 'en')) {
    for (const name of names) {
      const file = `${strings}/${language}/${name}.ts`;
      const english = textsOf(readFileSync(join(folder, `${name}.ts`), 'utf8'), `${name}.ts`);
      if (!existsSync(join(root, file))) {
        faults.push(`${file} is missing: add it with the ${english.length} texts of ${strings}/${name}.ts`);
        continue;
      }
      const catalogue = await read(file);
      faults.push(...compare(english, catalogue, language).map(fault => `${file}: ${fault}`));
    }
    const file = `${strings}/${language}/server-messages.ts`;
    for (const [message, translated] of Object.entries((await read(file)) as Record<string, string>)) {
      const isSentence = message.includes(' ');
      if (isSentence && !saysOf(message).test(server))
        faults.push(`${file}: the server does not say “${message}” any more`);
      for (const place of isSentence ? placesOf(translated) : [])
        if (!placesOf(message).includes(place)) faults.push(`${file}: “${message}” has no place {${place}}`);
    }
  }
  return faults;
}

/** A message in the source of the server, where a value stands in place of each `{place}`. */
const saysOf = (message: string) =>
  new RegExp(
    message
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll("'", "\\\\?'")
      .replaceAll(/\\\{\w+\\\}/g, '\\$\\{[^`]+?\\}'),
  );

type English = { readonly path: readonly string[]; readonly text: Text };

/** How a catalogue differs from the English one in keys, places and forms. */
export function compare(english: readonly English[], catalogue: unknown, language: string): string[] {
  const known = new Set(english.map(({ path }) => path.join('.')));
  const surplus = pathsOf(catalogue).filter(path => !known.has(path));
  return [
    ...english.flatMap(({ path, text }) =>
      compareText(text, textAt(catalogue, path) as Text | undefined, language).map(
        fault => `${path.join('.')} ${fault}`,
      ),
    ),
    ...surplus.map(path => `${path} is in no English catalogue: remove it`),
  ];
}

function compareText(english: Text, translated: Text | undefined, language: string): string[] {
  if (translated === undefined) return [`is missing: add ${JSON.stringify(english)} in this language`];
  if (typeof english !== typeof translated)
    return [`must be ${typeof english === 'string' ? 'one text' : 'a text for each form of the number'}`];
  if (typeof english === 'string' || typeof translated === 'string')
    return comparePlaces(placesOf(english as string), translated as string);
  const forms = neededForms(language);
  return [
    ...forms
      .filter(form => translated[form] === undefined)
      .map(form => `has no form ${form}, which numbers in this language need: add it`),
    ...comparePlaces(placesOf(english.other ?? ''), translated.other ?? ''),
    ...Object.values(translated).flatMap(form =>
      placesOf(form)
        .filter(place => !placesOf(english.other ?? '').includes(place))
        .map(place => `has a place {${place}} that is not in English`),
    ),
  ];
}

function comparePlaces(places: readonly string[], translated: string): string[] {
  const own = placesOf(translated);
  return [
    ...places.filter(place => !own.includes(place)).map(place => `lacks the place {${place}}: add it`),
    ...own
      .filter(place => !places.includes(place))
      .map(place => `has a place {${place}} that is not in English`),
  ];
}

const placesOf = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)),
];

/** The forms that whole numbers below a thousand take: those of millions fall back to `other`. */
function neededForms(language: string): readonly string[] {
  const plurals = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 1_000 }, (_, number) => plurals.select(number)))];
}

/** Where texts stand in a catalogue; forms of one text stand at one place. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof value !== 'object' || value === null || isForms(value)) return [path.join('.')];
  return Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]));
}

const isForms = (value: object) => Object.hasOwn(value, 'one') && Object.hasOwn(value, 'other');

if (import.meta.main) {
  const faults = await translationFaults(resolve(import.meta.dirname, '../..'));
  for (const one of faults) console.log(one);
  console.log(`translations: ${faults.length} texts to add or correct`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
