import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Names pages that do not exist on purpose, or only after a release. */
const examples = /^(tools\/checks\/(docs|docs-paths)\.test\.ts|tools\/checks\/docs\/.*)$/;
const fromRelease = 'docs/guides/openapi.released.json';

/** `docs/a/b.md`, not `/docs/b.json`, which is an address of the server, nor `apps/docs/b.md`. */
const path = /(?<![\w/.-])(?:\.\.\/)*(docs\/[\w./-]*\.\w+)/g;
const pathsIn = (text: string) => [...text.matchAll(path)].map(([, found]) => found!);

/** Files other than pages, whose links `npm run check` follows. */
const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 64e6 })
  .split('\0')
  .filter(file => /\.(ts|tsx|js|mjs|json|jsonc|yaml|yml|txt|tpl|sql|conf)$/.test(file) || file === '.ci/run')
  .filter(file => !examples.test(file) && file !== 'package-lock.json' && existsSync(resolve(root, file)));

test('every page that code, alerts, dashboards and error messages name exists', () => {
  const named = files.flatMap(file =>
    pathsIn(readFileSync(resolve(root, file), 'utf8')).map(target => ({ file, target })),
  );
  expect(named.length).toBeGreaterThan(80);
  const missing = named.filter(
    ({ target }) => target !== fromRelease && !existsSync(resolve(root, posix.normalize(target))),
  );
  expect(missing).toEqual([]);
});

test('a path of the repository is told from an address of the server', () => {
  expect(pathsIn("'../../docs/a.md', See docs/b/c.md. `/docs/d.json` https://x.example/docs/e.md")).toEqual([
    'docs/a.md',
    'docs/b/c.md',
  ]);
});
