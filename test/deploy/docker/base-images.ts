import { copyFileSync, cpSync, existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { readDeploy, root } from '../files.ts';
import { makeSystem } from './debian.ts';
import type { DockerEngine } from './engine.ts';

/** What is taken from Debian, each into a tar file that is kept. */
const systems = [
  { name: 'debian', suite: 'bookworm', packages: [] },
  { name: 'postgres', suite: 'forky', packages: ['postgresql-18'] },
  {
    name: 'engines',
    suite: 'forky',
    packages: ['valkey-server', 'nats-server', 'caddy', 'libcap2-bin', 'wget'],
  },
] as const;

/** Makes the images that deploy/ names, under these names, from Debian's packages. Minutes once, then seconds. */
export async function makeBaseImages(engine: DockerEngine, cache: string): Promise<void> {
  const context = join(cache, 'context');
  rmSync(context, { recursive: true, force: true });
  mkdirSync(context, { recursive: true });
  for (const { name, suite, packages } of systems) {
    const file = join(cache, `${name}.tar`);
    if (!existsSync(file)) await makeSystem(file, suite, packages);
    linkSync(file, join(context, `${name}.tar`));
  }
  const here = import.meta.dirname;
  copyFileSync(join(here, 'postgres-entrypoint'), join(context, 'postgres-entrypoint'));
  copyFileSync(join(root, 'node_modules/node/bin/node'), join(context, 'node'));
  // `npm run` names its own program: npm/bin/npm-cli.js.
  cpSync(join(dirname(process.env.npm_execpath!), '..'), join(context, 'npm'), { recursive: true });
  const authorities = process.env.NODE_EXTRA_CA_CERTS ?? '/etc/ssl/certs/ca-certificates.crt';
  copyFileSync(authorities, join(context, 'ca-certificates.crt'));
  for (const image of namedImages()) {
    const target = /^(?:.*\/)?(\w+):/.exec(image)![1]!;
    const options = ['--file', join(here, 'Dockerfile'), '--target', target, '--tag', image];
    await engine.docker('build', ...options, context);
  }
}

/** Every image that the Dockerfile begins with and that the compose files run, but ours. */
function namedImages(): readonly string[] {
  const bases = [...readDeploy('Dockerfile').matchAll(/^FROM (\S+:\S+)/gm)].map(([, image]) => image!);
  const services = ['compose.yaml', 'compose.cluster.yaml'].flatMap(file =>
    Object.values<{ image: string }>(parse(readDeploy(file), { merge: true }).services),
  );
  const engines = services.map(({ image }) => image).filter(image => !image.startsWith('$'));
  return [...new Set([...bases, ...engines])];
}
