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

/**
 * What Kubernetes would refuse: wrong values by the schemas of their kinds, and unknown fields, which those schemas allow, by
 * the types of their kinds.
 */
export async function findFaults(manifests: readonly Manifest[]): Promise<readonly string[]> {
  const faults = await Promise.all(manifests.map(findSchemaFault));
  return [...faults.filter(fault => fault !== null), ...findTypeFaults(manifests)];
}

async function findSchemaFault(manifest: Manifest): Promise<string | null> {
  const { apiVersion, kind, metadata } = manifest;
  const path = `kubernetes-models/${apiVersion}/${kind}`;
  const { [kind]: Model } = await import(path);
  try {
    new Model(manifest).validate();
    return null;
  } catch (error) {
    return `${kind} ${metadata.name}: ${(error as Error).message}`;
  }
}

/** Errors of the compiler, which is given each manifest as a value of its type. */
function findTypeFaults(manifests: readonly Manifest[]): readonly string[] {
  const dir = join(root, 'node_modules/.signpost-chart');
  mkdirSync(dir, { recursive: true });
  const lines = manifests.map((manifest, index) =>
    [
      `import type { I${manifest.kind} as T${index} } from 'kubernetes-models/${manifest.apiVersion}';`,
      `export const m${index}: T${index} = ${JSON.stringify(manifest)};`,
    ].join('\n'),
  );
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
    execFileSync(
      process.execPath,
      [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', dir, '--pretty', 'false'],
      {
        encoding: 'utf8',
      },
    );
    return [];
  } catch (error) {
    return (error as { stdout: string }).stdout.trim().split('\n');
  }
}
