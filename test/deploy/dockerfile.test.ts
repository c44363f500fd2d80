import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Copy, From } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { fromOf, stagesOf } from './dockerfile.ts';
import { readDeploy, root } from './files.ts';
import { unknownSettings } from './settings.ts';

const dockerfile = readDeploy('Dockerfile');
const stages = stagesOf(dockerfile);
const steps = [...stages.values()].flat();
const textsOf = (
  keyword: string,
  from: readonly { getKeyword(): string; getRawArgumentsContent(): string | null }[],
) => from.filter(step => step.getKeyword() === keyword).map(step => step.getRawArgumentsContent() ?? '');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

describe('the Dockerfile', () => {
  test('has no fault that the linter knows', () => {
    expect(validate(dockerfile).map(({ message }) => message)).toEqual([]);
  });

  test('pins its bases, and Node to the version that the project is tested on', () => {
    const bases = [...stages.values()]
      .map(([from]) => (from as From).getImage()!)
      .filter(base => !stages.has(base));
    expect(bases.toSorted()).toEqual([
      expect.stringMatching(/^debian:\w+-\d{8}-slim$/),
      `node:${manifest.devDependencies.node}-bookworm-slim`,
    ]);
  });

  test('copies only what is there, and every package that the server needs', () => {
    const copied = steps
      .filter(step => step.getKeyword() === 'COPY' && !fromOf(step as Copy))
      .flatMap(step => (step as Copy).getArguments().slice(0, -1))
      .map(argument => argument.getValue());
    for (const path of copied) expect(existsSync(join(root, path)), path).toBe(true);
    for (const path of needed()) expect(copied).toContain(path);
    const sent = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    for (const path of copied) expect(sent).toContain(`!${path}`);
  });

  test('leaves the image without root, package manager and build tools', () => {
    for (const target of ['full', 'small']) {
      expect((stages.get(target)![0] as From).getImage()).toBe('runtime');
      expect(textsOf('RUN', stages.get(target)!)).toEqual([]);
    }
    const runtime = stages.get('runtime')!;
    expect(textsOf('USER', runtime)).toEqual(['1000:1000']);
    expect(textsOf('RUN', runtime)).toEqual([]);
    expect(textsOf('HEALTHCHECK', runtime)).toHaveLength(1);
  });

  test('sets only settings that exist', () => {
    const names = textsOf('ENV', steps).flatMap(text =>
      [...text.matchAll(/(\w+)=/g)].map(([, name]) => name!),
    );
    expect(names.length).toBeGreaterThan(2);
    expect(unknownSettings(names)).toEqual([]);
  });

  test('carries the version of the project wherever it is named', () => {
    const versions = globSync('{Dockerfile,compose*.yaml}', { cwd: join(root, 'deploy') }).flatMap(file =>
      [...readDeploy(file).matchAll(/signpost:(\d+\.\d+\.\d+)/g)].map(([, version]) => version),
    );
    expect(versions.length).toBeGreaterThan(3);
    expect([...new Set(versions)]).toEqual([manifest.version]);
  });
});

/** The server and the packages of ours that it depends on, directly or not. */
function needed(): readonly string[] {
  const paths = ['apps/server'];
  for (const path of paths) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies).filter(one => one.startsWith('@signpost/'))) {
      const found = name.replace('@signpost/', 'packages/');
      if (!paths.includes(found)) paths.push(found);
    }
  }
  return paths;
}
