import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const server = 'apps/server/src';

const readsEnvironment = 'export const a = process.env.A;\n';

const files: Readonly<Record<string, string>> = {
  [`${server}/config/config.ts`]: readsEnvironment,
  [`${server}/qrcodes/store.test.ts`]: readsEnvironment,
  'tools/tool.ts': readsEnvironment,
  [`${server}/qrcodes/property.ts`]: readsEnvironment,
  [`${server}/roles/import.ts`]: "import { env } from 'node:process';\n\nexport const a = env;\n",
  'tools/awaited.ts': 'const run = async () => {};\nawait run();\n',
  'tools/floating.ts': 'const run = async () => {};\nrun();\n',
};

/** What Biome finds by our rules in a folder that holds these files, as `file rule`. */
function lint(): readonly string[] {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-lint-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  copyFileSync(join(root, 'biome.json'), join(dir, 'biome.json'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  const args = ['lint', '--vcs-enabled=false', '--colors=off', '.'];
  const { stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/biome'), args, {
    cwd: dir,
    encoding: 'utf8',
  });
  const found = `${stdout}${stderr}`.matchAll(/^(\S+?):\d+:\d+ lint\/\w+\/(\w+)/gm);
  return [...found].map(([, file, rule]) => `${file} ${rule}`).sort();
}

test('the environment is read in config/ alone, and no promise is dropped', () => {
  expect(lint()).toEqual([
    `${server}/qrcodes/property.ts noProcessEnv`,
    `${server}/roles/import.ts noRestrictedImports`,
    'tools/floating.ts noFloatingPromises',
  ]);
});
