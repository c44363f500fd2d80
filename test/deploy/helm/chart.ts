import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needBinary } from '@signpost/testing/engines/binaries.ts';
import { parseAllDocuments } from 'yaml';
import { deploy, root } from '../files.ts';

export const chart = join(deploy, 'helm/signpost');

export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: tests read manifests of every kind
  readonly spec: any;
};

const work = mkdtempSync(join(tmpdir(), 'signpost-chart-'));
let renderer: string | undefined;

/** Helm itself renders with Go templates and Sprig; both are packages of Debian. */
function builtRenderer(): string {
  if (renderer) return renderer;
  renderer = join(work, 'render');
  execFileSync(needBinary('go'), ['build', '-o', renderer, join(import.meta.dirname, 'render.go')], {
    env: { PATH: process.env.PATH, HOME: work, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' },
  });
  return renderer;
}

export function render(values: object): readonly Manifest[] {
  const file = join(work, 'values.json');
  writeFileSync(file, JSON.stringify(values));
  const output = execFileSync(builtRenderer(), [chart, file], { encoding: 'utf8', stdio: 'pipe' });
  return parseAllDocuments(output)
    .map(document => {
      if ('errors' in document && document.errors.length > 0) throw document.errors[0];
      return 'toJS' in document ? document.toJS() : null;
    })
    .filter(manifest => manifest !== null);
}

/** Compiler errors of the manifests, each written as a value of its Kubernetes type; they include unknown fields. */
export function typeFaults(manifests: readonly Manifest[]): string {
  const dir = join(root, 'node_modules/.signpost-chart');
  mkdirSync(dir, { recursive: true });
  const lines = manifests.map((manifest, index) => {
    const { apiVersion, kind } = manifest;
    const path = apiVersion.includes('/') ? apiVersion : `${apiVersion}`;
    return [
      `import type { I${kind} as T${index} } from 'kubernetes-models/${path}';`,
      `export const m${index}: T${index} = ${JSON.stringify(manifest)};`,
    ].join('\n');
  });
  writeFileSync(join(dir, 'manifests.ts'), lines.join('\n'));
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }));
  try {
    return execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', dir], {
      encoding: 'utf8',
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
