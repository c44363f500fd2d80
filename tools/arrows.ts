import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { cyclesOf } from './arrows/cycles.ts';
import { environmentReads, importsOf } from './arrows/imports.ts';
import { environmentRule, isTest, mayReadEnvironment, whyNot } from './arrows/rules.ts';

/** Every breach of the import rules in the tree under `root`, as `file:line imports X: why`. */
export function arrowBreaches(root: string): readonly string[] {
  const files = sourceFiles(root);
  const packages = packageEntries(root);
  const graph = new Map<string, string[]>();
  const lines = new Map<string, number>();
  const breaches: string[] = [];

  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8');
    for (const imported of importsOf(source)) {
      const { specifier, line } = imported;
      const target = targetOf(file, specifier, packages);
      const why = whyNot(file, imported, target);
      if (why) breaches.push(`${file}:${line} imports ${specifier}: ${why}`);
      if (target === undefined || isTest(file)) continue;
      graph.set(file, [...(graph.get(file) ?? []), target]);
      lines.set(`${file} ${target}`, line);
    }
    if (mayReadEnvironment(file)) continue;
    for (const line of environmentReads(source)) {
      breaches.push(`${file}:${line} imports process.env: ${environmentRule}`);
    }
  }
  for (const { from, to, path } of cyclesOf(graph)) {
    const line = lines.get(`${from} ${to}`);
    breaches.push(`${from}:${line} imports ${to}: it closes a cycle, ${path.join(' → ')}`);
  }
  return breaches;
}

function sourceFiles(root: string): readonly string[] {
  const patterns = [
    'apps/*/src/**/*.{ts,tsx}',
    'packages/*/src/**/*.{ts,tsx}',
    'tools/**/*.ts',
    'test/**/*.ts',
  ];
  const found = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] });
  return found.map(file => file.replaceAll('\\', '/')).sort();
}

/** Our packages by name, each with the file that its name leads to. */
function packageEntries(root: string): ReadonlyMap<string, string> {
  const manifests = globSync('packages/*/package.json', { cwd: root });
  return new Map(
    manifests.map(manifest => {
      const { name } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as { name: string };
      return [name, posix.join(dirname(manifest), 'src/index.ts')];
    }),
  );
}

/** The file of ours that an import leads to; undefined for the platform and for packages of others. */
function targetOf(
  file: string,
  specifier: string,
  packages: ReadonlyMap<string, string>,
): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  return packages.get(specifier);
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..');
  if (!existsSync(join(root, 'apps'))) throw new Error(`No apps/ in ${root}`);
  const breaches = arrowBreaches(root);
  for (const breach of breaches) console.log(breach);
  console.log(`arrows: ${breaches.length} breaches`);
  process.exitCode = breaches.length > 0 ? 1 : 0;
}
