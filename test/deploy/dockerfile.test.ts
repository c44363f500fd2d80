import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Copy, From } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { fromOf, stagesOf } from './dockerfile.ts';
import { composeFiles, readCompose, readDeploy, root } from './files.ts';
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
  test('passes the linter', () => {
    expect(validate(dockerfile).map(({ message }) => message)).toEqual([]);
  });

  test('pins its base images, and Node to the version that the project is tested on', () => {
    const bases = [...stages.values()]
      .map(([from]) => (from as From).getImage()!)
      .filter(base => !stages.has(base));
    expect(bases.toSorted()).toEqual([
      expect.stringMatching(/^debian:\w+-\d{8}-slim$/),
      `node:${manifest.devDependencies.node}-bookworm-slim`,
      expect.stringMatching(/^postgres:\d+\.\d+$/),
    ]);
  });

  test('builds the full image by default', () => {
    expect([...stages.keys()].at(-1)).toBe('full');
  });

  test('backs up with the programs of the PostgreSQL that each compose file runs', () => {
    const base = (stages.get('postgresql')![0] as From).getImage();
    for (const target of ['backup', 'all-in-one'])
      expect((stages.get(target)![0] as From).getImage()).toBe('postgresql');
    for (const file of composeFiles) expect(readCompose(file).services.postgres!.image, file).toBe(base);
  });

  test.each(composeFiles)('gives each directory that the backup of %s writes to its own user', file => {
    const backup = stages.get('backup')!;
    const [user] = textsOf('USER', backup);
    const owners = backup
      .filter(step => step.getKeyword() === 'COPY')
      .map(step => [(step as Copy).getArguments().at(-1)!.getValue(), ownerOf(step as Copy)]);
    const places = readCompose(file).services.backup!.volumes!.map(volume => volume.split(':').at(-1)!);
    for (const place of places) expect(owners).toContainEqual([place, user]);
  });

  test('copies only what exists, and every package that the server needs', () => {
    const copied = steps
      .filter(step => step.getKeyword() === 'COPY' && !fromOf(step as Copy))
      .flatMap(step => (step as Copy).getArguments().slice(0, -1))
      .map(argument => argument.getValue());
    for (const path of copied) expect(existsSync(join(root, path)), path).toBe(true);
    for (const path of needed()) expect(copied).toContain(path);
    const sent = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    for (const path of copied) expect(sent).toContain(`!${path}`);
  });

  test('builds an image without root, package manager and build tools', () => {
    expect((stages.get('full')![0] as From).getImage()).toBe('runtime');
    expect(textsOf('RUN', stages.get('full')!)).toEqual([]);
    const runtime = stages.get('runtime')!;
    for (const stage of [runtime, stages.get('backup')!, stages.get('all-in-one')!])
      expect(textsOf('USER', stage)).toEqual(['1000:1000']);
    for (const stage of [runtime, stages.get('backup')!]) {
      expect(textsOf('RUN', stage)).toEqual([]);
    }
    expect(textsOf('HEALTHCHECK', runtime)).toHaveLength(1);
  });

  test('sets only settings that exist', () => {
    const names = textsOf('ENV', steps).flatMap(text =>
      [...text.matchAll(/(\w+)=/g)].map(([, name]) => name!),
    );
    expect(names.length).toBeGreaterThan(2);
    expect(unknownSettings(names)).toEqual([]);
  });

  test('has the version of the project wherever it is named', () => {
    const versions = globSync('{Dockerfile,compose*.yaml}', { cwd: join(root, 'deploy') }).flatMap(file =>
      [...readDeploy(file).matchAll(/(?:signpost|\}):(\d+\.\d+\.\d+)/g)].map(([, version]) => version),
    );
    expect(versions.length).toBeGreaterThan(3);
    expect([...new Set(versions)]).toEqual([manifest.version]);
  });
});

const ownerOf = (step: Copy) =>
  step
    .getFlags()
    .find(flag => flag.getName() === 'chown')
    ?.getValue();

/** The server and our packages that it depends on, directly or indirectly. */
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
