import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const server = 'apps/server/src';

/** A tree that keeps every rule, in which everything that is imported below exists. */
const clean: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "signpost", "type": "module", "workspaces": ["packages/*", "apps/*"] }',
  'packages/contract/package.json': '{ "name": "@signpost/contract", "exports": { ".": "./src/index.ts" } }',
  'packages/contract/src/index.ts': "import '@signpost/qr';\nexport * from './errors.ts';",
  'packages/contract/src/errors.ts': 'export const errors = {};',
  'packages/qr/package.json': '{ "name": "@signpost/qr", "exports": { ".": "./src/index.ts" } }',
  'packages/qr/src/index.ts': 'export const qr = 1;',
  'packages/testing/package.json': '{ "name": "@signpost/testing", "exports": { "./*": "./src/*" } }',
  'packages/testing/src/api.ts': "import '../../../apps/server/src/roles/api.ts';",
  'apps/dashboard/src/main.tsx': "import '@signpost/contract';\nexport const main = <p>Signpost</p>;",
  [`${server}/main.ts`]: "import { readConfig } from './config/config.ts';\nimport './roles/api.ts';",
  [`${server}/config/config.ts`]:
    "import '../kernel/ids.ts';\nexport const readConfig = () => ({});\nexport type Config = object;",
  [`${server}/roles/api.ts`]:
    "import '../qrcodes/feature.ts';\nimport { readConfig } from '../config/config.ts';",
  [`${server}/kernel/ids.ts`]:
    "import 'node:crypto';\nimport '@signpost/contract';\nexport type Id = string;",
  [`${server}/platform/postgres.ts`]:
    "import type { Config } from '../config/config.ts';\nimport '../kernel/ids.ts';",
  [`${server}/http/app.ts`]:
    "import '../platform/postgres.ts';\nimport { type Config } from '../config/config.ts';",
  [`${server}/accounts/account.ts`]: "import '../kernel/ids.ts';",
  [`${server}/accounts/store.ts`]: "import '../platform/postgres.ts';\nexport type Store = object;",
  [`${server}/qrcodes/feature.ts`]: "import '../http/app.ts';\nimport './store.ts';",
  [`${server}/qrcodes/store.ts`]: "export { account } from '../accounts/account.ts';",
  [`${server}/qrcodes/store.test.ts`]:
    "import '@signpost/testing/api.ts';\nimport '../roles/api.ts';\nimport '../accounts/store.ts';",
  'tools/tool.ts': `import '../${server}/config/config.ts';\nimport '@signpost/testing/api.ts';`,
  'bench/bench.ts': '',
};

/** The folders of the server, the innermost first. */
const folders = [
  ...['kernel', 'config', 'platform', 'http'],
  ...['scans', 'limits', 'audit', 'rules', 'analytics', 'share-links', 'redirect', 'domains'],
  ...[
    'moderation',
    'accounts',
    'designs',
    'ingest',
    'qrcodes',
    'users',
    'images',
    'operator',
    'backup',
    'webhooks',
  ],
  ...['doctor', 'roles', 'commands'],
];

type Breach = readonly [rule: string, file: string, text: string];

/** Each breaks one rule: the file, what it imports, and the rule. */
const breaches: readonly Breach[] = [
  ['no-circle', `${server}/kernel/circle-a.ts`, "import './circle-b.ts';"],
  ...folders.map((folder, at): Breach => {
    const outer = folders[at + 1];
    const target = outer ? `../${outer}/noun.ts` : '../main.ts';
    return [
      `${folder}-imports-inward`,
      `${server}/${folder}/outward.ts`,
      `import type { Noun } from '${target}';`,
    ];
  }),
  ['kernel-imports-inward', `${server}/kernel/b.ts`, "import type { Config } from '../config/config.ts';"],
  ['kernel-is-pure', `${server}/kernel/c.ts`, "import 'node:fs';"],
  ['config-is-a-type', `${server}/http/b.ts`, "import { readConfig } from '../config/config.ts';"],
  ['config-is-a-type', `${server}/qrcodes/a.ts`, "import { readConfig } from '../config/config.ts';"],
  ['features-keep-their-store', `${server}/qrcodes/d.ts`, "import '../accounts/store.ts';"],
  [
    'features-keep-their-store',
    `${server}/qrcodes/e.ts`,
    "import type { Store } from '../accounts/store.ts';",
  ],
  ['features-keep-their-store', `${server}/qrcodes/f.ts`, "export * from '../accounts/store.ts';"],
  ['features-keep-their-store', `${server}/qrcodes/g.ts`, "await import('../accounts/store.ts');"],
  ['features-are-registered-in-roles', `${server}/qrcodes/h.ts`, "import './feature.ts';"],
  ['features-are-registered-in-roles', `${server}/commands/a.ts`, "import '../qrcodes/feature.ts';"],
  ['known-folders', `${server}/stuff/a.ts`, "import '../kernel/ids.ts';"],
  ['no-import-of-tests', `${server}/qrcodes/i.ts`, "import './store.test.ts';"],
  ['nothing-outward', `${server}/qrcodes/a.test.ts`, "import '../../../../tools/tool.ts';"],
  ['nothing-outward', 'packages/contract/src/a.ts', "import '../../../bench/bench.ts';"],
  ['nothing-outward', 'packages/testing/src/a.ts', "import '../../../test/fuzz/run.ts';"],
  ['testing-only-in-tests', `${server}/qrcodes/j.ts`, "import '@signpost/testing/api.ts';"],
  ['packages-know-no-apps', 'packages/contract/src/b.ts', `import '../../../${server}/kernel/ids.ts';`],
  ['apps-know-no-apps', 'apps/dashboard/src/a.ts', `import '../../server/src/kernel/ids.ts';`],
  ['qr-and-sdk-stand-alone', 'packages/qr/src/a.ts', "import '@signpost/contract';"],
  ['qr-and-sdk-stand-alone', 'packages/sdk/src/a.ts', "import type { E } from '@signpost/contract';"],
  ['packages-by-name', `${server}/http/c.ts`, "import '../../../../packages/qr/src/index.ts';"],
  ['packages-by-name', 'bench/a.ts', "import '../packages/qr/src/index.ts';"],
];

/** What breaches import and nothing else needs. */
const targets: Readonly<Record<string, string>> = {
  [`${server}/kernel/circle-b.ts`]: "import type { A } from './circle-a.ts';",
  ...Object.fromEntries(folders.map(folder => [`${server}/${folder}/noun.ts`, 'export const noun = 1;'])),
  'test/fuzz/run.ts': '',
};

type Report = {
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[];
    readonly ruleSetUsed: { readonly forbidden: readonly { readonly name: string }[] };
  };
};

/** Breaches of the rules in a tree of these files, as `rule file`, and the names of all rules. */
function cruise(files: Readonly<Record<string, string>>) {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-imports-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  mkdirSync(join(dir, 'node_modules/@signpost'), { recursive: true });
  for (const name of ['contract', 'qr', 'testing'])
    symlinkSync(join('../../packages', name), join(dir, 'node_modules/@signpost', name));
  const config = join(root, '.dependency-cruiser.mjs');
  const { stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/depcruise'),
    ['--config', config, '--output-type', 'json', 'apps', 'packages', 'tools', 'bench'],
    { cwd: dir, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 },
  );
  expect(stderr).toBe('');
  const { violations, ruleSetUsed } = (JSON.parse(stdout) as Report).summary;
  return {
    found: violations.map(({ rule, from }) => `${rule.name} ${from}`).sort(),
    rules: ruleSetUsed.forbidden.map(({ name }) => name).sort(),
  };
}

test('a tree that keeps the rules has no breach', () => {
  expect(cruise(clean).found).toEqual([]);
});

test('every rule finds its breaches, and no other rule counts them', () => {
  const planted = Object.fromEntries(
    breaches.map(([, file, text]) => [file, `export const a = 1;\n${text}`]),
  );
  const { found, rules } = cruise({ ...clean, ...targets, ...planted });
  expect(found).toEqual(breaches.map(([rule, file]) => `${rule} ${file}`).sort());
  expect([...new Set(breaches.map(([rule]) => rule))].sort()).toEqual(rules);
});
