import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const sdk = resolve(import.meta.dirname, '..');
const root = resolve(sdk, '../..');

/** Builds the package that is published: plain modules, declarations and a manifest of their own, in `dist/`. */
export function buildSdk(): string {
  const dist = join(sdk, 'dist');
  rmSync(dist, { recursive: true, force: true });
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', sdk], {
    stdio: 'inherit',
  });
  // The compiler leaves the names of sources in declarations, which tools besides it do not follow.
  for (const file of globSync(join(dist, '**/*.d.ts'))) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
  const { name, version, description, license, type, sideEffects } = JSON.parse(
    readFileSync(join(sdk, 'package.json'), 'utf8'),
  );
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    sideEffects,
    keywords: ['qr', 'qr-code', 'short-links', 'signpost'],
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    types: './index.d.ts',
    engines: { node: '>=20.3' },
  };
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(sdk, 'README.md'), join(dist, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
  return dist;
}

if (import.meta.main) console.log(`${buildSdk()} is ready for npm publish`);
