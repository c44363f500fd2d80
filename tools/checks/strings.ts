import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { literalsOf } from './strings/literals.ts';

/** Every text of the dashboard that does not stand in `strings/`, as lines to print. */
export function strayStrings(root: string, under = ''): readonly string[] {
  const source = join(root, 'apps/dashboard/src');
  return globSync('**/*.tsx', { cwd: source })
    .filter(file => file.startsWith(under) && !/^strings\/|\.test\.tsx$/.test(file))
    .sort()
    .flatMap(file =>
      literalsOf(readFileSync(join(source, file), 'utf8')).map(
        ({ text, line }) => `apps/dashboard/src/${file}:${line} “${text}” belongs in strings/`,
      ),
    );
}

if (import.meta.main) {
  const stray = strayStrings(resolve(import.meta.dirname, '../..'), process.argv[2]);
  for (const one of stray) console.log(one);
  console.log(`strings: ${stray.length} outside the catalogue`);
  process.exitCode = stray.length > 0 ? 1 : 0;
}
