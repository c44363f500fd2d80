import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { literalsOf } from './strings/literals.ts';
import { joinedInComponent, joinedTexts } from './strings/sentences.ts';

/** Every text of the dashboard that does not stand in `strings/`, and every sentence that is put together from parts, as lines to print. */
export function stringFaults(root: string, under = ''): readonly string[] {
  const source = join(root, 'apps/dashboard/src');
  const read = (file: string) => readFileSync(join(source, file), 'utf8');
  const at = (file: string, line: number) => `apps/dashboard/src/${file}:${line}`;
  const files = globSync('**/*.{ts,tsx}', { cwd: source })
    .filter(file => file.startsWith(under) && !/\.test\.tsx?$/.test(file))
    .sort();
  const isCatalogue = (file: string) => file.startsWith('strings/');
  const components = files.filter(file => file.endsWith('.tsx') && !isCatalogue(file));
  return [
    ...components.flatMap(file =>
      literalsOf(read(file)).map(({ text, line }) => `${at(file, line)} “${text}” belongs in strings/`),
    ),
    ...files
      .filter(file => !isCatalogue(file))
      .flatMap(file =>
        joinedInComponent(read(file)).map(
          ({ text, line }) => `${at(file, line)} ${text}: write it as one sentence with places`,
        ),
      ),
    ...files
      .filter(file => isCatalogue(file) && file !== 'strings/fill.ts')
      .flatMap(file =>
        joinedTexts(read(file)).map(
          ({ text, line }) => `${at(file, line)} ${text}: write it as one sentence with places, for fill()`,
        ),
      ),
  ];
}

if (import.meta.main) {
  const faults = stringFaults(resolve(import.meta.dirname, '../..'), process.argv[2]);
  for (const one of faults) console.log(one);
  console.log(`strings: ${faults.length} outside the catalogue or in parts`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
