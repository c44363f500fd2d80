import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const sdk = resolve(import.meta.dirname, '..');
const root = resolve(sdk, '../..');

/** Builds the package that is published into a folder: plain modules, declarations and a manifest of their own. */
export function buildSdk(into: string): string {
  rmSync(into, { recursive: true, force: true });
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', sdk, '--outDir', into],
    { stdio: 'inherit' },
  );
  // The compiler leaves the names of sources in declarations, which other tools do not follow.
  for (const file of globSync(join(into, '**/*.d.ts'))) {
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
    repository: repositoryUrl(),
    type,
    sideEffects,
    keywords: ['qr', 'qr-code', 'short-links', 'signpost'],
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    types: './index.d.ts',
    engines: { node: '>=20.3' },
  };
  writeFileSync(join(into, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(sdk, 'README.md'), join(into, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(into, 'LICENSE'));
  return into;
}

/** npm publishes a package with provenance only if its manifest names the repository whose workflow does it. */
function repositoryUrl(): string | undefined {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  return GITHUB_REPOSITORY && `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`;
}

/** Builds the package under `dist`, and packs it as `sdk.tgz`, the file that the server offers for installation. */
export function packSdk(): string {
  const dist = join(sdk, 'dist');
  const folder = join(dist, 'package');
  mkdirSync(dist, { recursive: true });
  buildSdk(folder);
  const args = ['pack', folder, '--pack-destination', dist, '--json', '--offline', '--loglevel=error'];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: dist, encoding: 'utf8' })) as [
    { filename: string },
  ];
  const file = join(dist, 'sdk.tgz');
  // In one step: a running server never reads half a file.
  renameSync(join(dist, packed.filename), file);
  return file;
}

if (import.meta.main) console.log(`${packSdk()} is ready`);
