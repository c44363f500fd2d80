import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { importsOf } from './arrows/imports.ts';
import { arrowBreaches } from './arrows.ts';

const server = 'apps/server/src';

/** A tree that keeps every rule; a test plants its breach into it. */
const clean: Readonly<Record<string, string>> = {
  'packages/contract/package.json': '{ "name": "@signpost/contract" }',
  'packages/contract/src/index.ts': "import '@signpost/qr';\nexport * from './errors.ts';",
  'packages/contract/src/errors.ts': 'export const table = {};',
  'packages/qr/package.json': '{ "name": "@signpost/qr" }',
  'packages/qr/src/index.ts': "import 'qr';",
  [`${server}/main.ts`]:
    "import { readConfig } from './config.ts';\nimport './roles/api.ts';\nimport './qrcodes/store.ts';",
  [`${server}/config.ts`]: 'export const readConfig = () => process.env;\nexport type Config = object;',
  [`${server}/roles/api.ts`]: "import { readConfig } from '../config.ts';\nimport '../qrcodes/service.ts';",
  [`${server}/kernel/ids.ts`]:
    "import { randomBytes } from 'node:crypto';\nimport '@signpost/contract';\nimport './clock.ts';",
  [`${server}/kernel/clock.ts`]: '// process.env is read elsewhere\nexport const now = 0;',
  [`${server}/http/app.ts`]:
    "import fastify from 'fastify';\nimport '../kernel/ids.ts';\nimport type { Config } from '../config.ts';",
  [`${server}/platform/postgres.ts`]: "import pg from 'pg';\nimport { type Config } from '../config.ts';",
  [`${server}/accounts/account.ts`]: "import '../kernel/ids.ts';",
  [`${server}/accounts/store.ts`]: 'export const store = 1;',
  [`${server}/qrcodes/qr-code.ts`]: "export { account } from '../accounts/account.ts';",
  [`${server}/qrcodes/store.ts`]: "import './qr-code.ts';\nimport '../platform/postgres.ts';",
  [`${server}/qrcodes/service.ts`]: "import '../http/app.ts';\nimport './store.ts';",
  [`${server}/qrcodes/service.test.ts`]:
    "import '../roles/api.ts';\nimport '../accounts/store.ts';\nprocess.env.A;",
  'tools/tool.ts': "import '../apps/server/src/config.ts';\nprocess.env.A;",
};

function breachesWith(planted: Readonly<Record<string, string>>): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'signpost-arrows-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries({ ...clean, ...planted })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return arrowBreaches(root);
}

test('a tree that keeps the rules has no breach', () => {
  expect(breachesWith({})).toEqual([]);
});

const planted: readonly (readonly [rule: string, file: string, text: string, why: string])[] = [
  [
    'a feature imports the store of another',
    'qrcodes/a.ts',
    "import '../accounts/store.ts';",
    'only its nouns',
  ],
  ['also as a type', 'qrcodes/a.ts', "import type { S } from '../accounts/store.ts';", 'only its nouns'],
  ['also by re-export', 'qrcodes/a.ts', "export * from '../accounts/store.ts';", 'only its nouns'],
  ['also by a dynamic import', 'qrcodes/a.ts', "await import('../accounts/store.ts');", 'only its nouns'],
  ['a feature imports a role', 'qrcodes/a.ts', "import '../roles/api.ts';", 'a feature imports only'],
  ['a feature imports main', 'qrcodes/a.ts', "import '../main.ts';", 'a feature imports only'],
  [
    'a feature imports a tool',
    'qrcodes/a.ts',
    "import '../../../../tools/tool.ts';",
    'a feature imports only',
  ],
  ['a feature imports config as a value', 'qrcodes/a.ts', "import { c } from '../config.ts';", 'as a type'],
  ['a feature imports a test', 'qrcodes/a.ts', "import './service.test.ts';", 'does not import tests'],
  ['http imports a feature', 'http/a.ts', "import '../accounts/account.ts';", 'http imports only platform/'],
  ['http imports config as a value', 'http/a.ts', "import { c } from '../config.ts';", 'as a type'],
  ['platform imports a feature', 'platform/a.ts', "import '../qrcodes/qr-code.ts';", 'platform imports only'],
  ['platform imports http', 'platform/a.ts', "import '../http/app.ts';", 'platform imports only kernel/'],
  ['kernel imports platform', 'kernel/a.ts', "import '../platform/postgres.ts';", 'kernel imports only'],
  ['kernel imports a package that is not pure', 'kernel/a.ts', "import pg from 'pg';", 'kernel imports only'],
  ['kernel imports the file system', 'kernel/a.ts', "import fs from 'node:fs';", 'kernel imports only'],
  ['a feature reads process.env', 'qrcodes/a.ts', 'const a = process.env.A;', 'only in config.ts'],
  ['a role reads process.env', 'roles/a.ts', 'const { A } = process.env;', 'only in config.ts'],
  ['env is taken from node:process', 'http/a.ts', "import { env } from 'node:process';", 'only in config.ts'],
  [
    'a package is imported by path',
    'http/a.ts',
    "import '../../../../packages/qr/src/index.ts';",
    'by its name',
  ],
  ['a file lies in an unknown folder', 'stuff/a.ts', "import '../kernel/ids.ts';", 'in no folder'],
];

test.each(planted)('%s: a breach', (_rule, file, text, why) => {
  const [breach, ...more] = breachesWith({ [`${server}/${file}`]: `export const first = 1;\n${text}` });
  expect(breach).toMatch(new RegExp(`^${server}/${file}:2 imports \\S+: .*${why}`));
  expect(more).toEqual([]);
});

test.each([
  [
    'a package imports an app',
    'contract',
    "import '../../../apps/server/src/kernel/ids.ts';",
    'nothing from apps/',
  ],
  ['a package imports a tool', 'contract', "import '../../../tools/tool.ts';", 'nothing from tools/'],
  ['the qr package imports another of ours', 'qr', "import '@signpost/contract';", 'no other package'],
  ['the SDK imports another of ours', 'sdk', "import '@signpost/contract';", 'no other package'],
])('%s: a breach', (_rule, name, text, why) => {
  const [breach] = breachesWith({ [`packages/${name}/src/a.ts`]: text });
  expect(breach).toContain(`packages/${name}/src/a.ts:1 imports`);
  expect(breach).toContain(why);
});

test('an import cycle is told once, with its way round', () => {
  const breaches = breachesWith({
    [`${server}/kernel/a.ts`]: "import './b.ts';",
    [`${server}/kernel/b.ts`]: "import './c.ts';",
    [`${server}/kernel/c.ts`]: "\nimport type { A } from './a.ts';",
  });
  expect(breaches).toEqual([
    `${server}/kernel/c.ts:2 imports ${server}/kernel/a.ts: it closes a cycle, ` +
      `${server}/kernel/a.ts → ${server}/kernel/b.ts → ${server}/kernel/c.ts → ${server}/kernel/a.ts`,
  ]);
});

test('imports are read from every form of statement, with their line', () => {
  const source = [
    "import a, { type B } from 'one';",
    'import {',
    '  type C,',
    '  type D as E,',
    "} from 'two';",
    "export type { F } from 'three';",
    " * import 'not this';",
    "const g = 'import';",
    "const h = await import('four');",
    "import 'five';",
    "export const from = 'not this';",
  ].join('\n');
  expect(importsOf(source).map(({ specifier, line, typeOnly }) => [specifier, line, typeOnly])).toEqual([
    ['one', 1, false],
    ['two', 5, true],
    ['three', 6, true],
    ['five', 10, false],
    ['four', 9, false],
  ]);
});
