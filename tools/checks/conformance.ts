import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type NamedTest, rowsOf } from './conformance/page.ts';

/** Rows of the page without a test, and tests named there that do not exist. */
export function conformanceFaults(markdown: string, tests: readonly NamedTest[]): readonly string[] {
  const namesByFile = Map.groupBy(tests, ({ file }) => file);
  const exists = ({ file, name }: NamedTest) =>
    (namesByFile.get(file) ?? []).some(test => isNamed(test.name, name));
  return rowsOf(markdown).flatMap(row => {
    if (row.tests.length === 0) return [`${row.line}: names no test`];
    const missing = row.tests.filter(test => !exists(test));
    return missing.map(({ file, name }) => `${row.line}: no such test: ${file} › ${name}`);
  });
}

/** A parameterised test may be named by its template: `%s` and `$field` match any text. */
function isNamed(listed: string, named: string): boolean {
  if (listed === named) return true;
  const literals = named.split(/%[sdifjoOc#$]|\$[a-zA-Z_][\w.]*/);
  if (literals.length === 1) return false;
  return new RegExp(
    `^${literals.map(literal => literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*')}$`,
    's',
  ).test(listed);
}

/** Every test of the project, as Vitest lists them; it joins the names of groups by ` > `. */
function listedTests(root: string): readonly NamedTest[] {
  const vitest = resolve(root, 'node_modules/vitest/vitest.mjs');
  const output = execFileSync(process.execPath, [vitest, 'list', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const tests = JSON.parse(output.slice(output.indexOf('['))) as readonly NamedTest[];
  return tests.map(({ file, name }) => ({
    file: relative(root, file).replaceAll('\\', '/'),
    name: name.replaceAll(' > ', ' › '),
  }));
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '../..');
  const page = resolve(root, 'docs/internals/conformance.md');
  const markdown = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const faults = conformanceFaults(markdown, listedTests(root));
  for (const fault of faults) console.log(`docs/internals/conformance.md:${fault}`);
  console.log(`conformance: ${rowsOf(markdown).length} rows, ${faults.length} faults`);
  process.exitCode = faults.length > 0 || markdown === '' ? 1 : 0;
}
