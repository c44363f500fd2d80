import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Packs the server for `npm install`: JavaScript, since Node strips no types under node_modules, with the built dashboard and
 * the migrations. The folders are those of the repository, so that paths between files stay right.
 */
const root = resolve(import.meta.dirname, '../..');
const dist = join(root, 'dist');
const staging = join(dist, 'package');

/** Our own packages, which are in no registry: they travel inside. */
const bundled = ['contract', 'qr', 'sdk'] as const;

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly license: string;
  readonly engines: { readonly node: string };
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

export function pack(): string {
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  compile();
  rewriteReferences();
  copyFiles();
  for (const name of bundled) writeBundled(name);
  writeManifest();
  const args = ['pack', staging, '--pack-destination', dist, '--json', '--offline', '--loglevel=error'];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: dist, encoding: 'utf8' })) as [
    { filename: string },
  ];
  return join(dist, filename);
}

/** `npm run check` has looked at the types; here they are only removed. */
function compile(): void {
  // First, since the compiler emits nothing that it finds only through node_modules.
  const packages = bundled.flatMap(name =>
    Object.values(readManifest(`packages/${name}`).exports ?? {}).map(file => join('packages', name, file)),
  );
  const workers = globSync('apps/server/src/**/*-worker.ts', { cwd: root });
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      noCheck: true,
      rewriteRelativeImportExtensions: true,
      rootDir: root,
      outDir: staging,
    },
    include: [],
    files: [...packages, 'apps/server/src/main.ts', ...workers].map(file => join(root, file)),
  };
  const file = join(dist, 'tsconfig.json');
  writeFileSync(file, JSON.stringify(config));
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', file], {
    stdio: 'inherit',
  });
}

/** The compiler rewrites imports. Scripts of threads are named by a URL. */
function rewriteReferences(): void {
  for (const file of globSync('{apps,packages}/**/*.js', { cwd: staging })) {
    const path = join(staging, file);
    const text = readFileSync(path, 'utf8').replaceAll(
      /((?:new URL|import\.meta\.resolve)\(\s*)(['"`])([^'"`]+)\.ts\2/g,
      '$1$2$3.js$2',
    );
    writeFileSync(path, text);
    for (const [, , name] of text.matchAll(/(['"`])(\.{0,2}[\w/.-]+)\.ts\1/g))
      if (existsSync(resolve(root, dirname(file), `${name}.ts`)))
        throw new Error(`${file} still names ${name}.ts, which is not in the package`);
  }
}

function copyFiles(): void {
  const copy = (path: string) => cpSync(join(root, path), join(staging, path), { recursive: true });
  for (const built of ['apps/dashboard/dist', 'apps/dashboard/reference/dist', 'packages/sdk/dist/sdk.tgz']) {
    if (!existsSync(join(root, built))) throw new Error(`${built} is missing. Run \`npm run build\`.`);
    copy(built);
  }
  copy('apps/server/migrations');
  for (const data of globSync(
    ['apps/server/src/**/*.{json,md,tsv}', 'packages/{contract,qr}/src/**/{*.json,LICENSE}'],
    {
      cwd: root,
    },
  ))
    copy(data);
  for (const file of ['LICENSE', 'NOTICE', 'apps/server/node-version.js']) copy(file);
  const entry = readFileSync(join(root, 'apps/server/signpost.js'), 'utf8');
  const mode = statSync(join(root, 'apps/server/signpost.js')).mode;
  writeFileSync(join(staging, 'apps/server/signpost.js'), entry.replace('main.ts', 'main.js'), { mode });
}

/** Its dependencies are those of the whole package. */
function writeBundled(name: string): void {
  const folder = join(staging, 'node_modules/@signpost', name);
  const { version, license, exports = {}, ...manifest } = readManifest(`packages/${name}`);
  mkdirSync(folder, { recursive: true });
  cpSync(join(staging, 'packages', name, 'src'), join(folder, 'src'), { recursive: true });
  rmSync(join(staging, 'packages', name), { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const compiled = Object.entries(exports).map(([path, file]) => [path, file.replace(/\.ts$/, '.js')]);
  writeJson(join(folder, 'package.json'), {
    name: manifest.name,
    version,
    license,
    type: 'module',
    exports: Object.fromEntries(compiled),
  });
}

function writeManifest(): void {
  const { version, description, license, engines } = readManifest('.');
  const server = readManifest('apps/server');
  const all = [server, ...bundled.map(name => readManifest(`packages/${name}`))];
  writeJson(join(staging, 'package.json'), {
    name: 'signpost',
    version,
    description,
    license,
    type: 'module',
    bin: { signpost: 'apps/server/signpost.js' },
    engines: { node: engines.node },
    dependencies: Object.assign({}, ...all.map(({ dependencies }) => dependencies)),
    optionalDependencies: server.optionalDependencies,
    bundleDependencies: bundled.map(name => `@signpost/${name}`),
  });
}

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;

const writeJson = (file: string, value: object) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

if (import.meta.main) console.log(`${pack()} is ready`);
