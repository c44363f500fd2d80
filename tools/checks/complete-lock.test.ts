import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { completeLock, type Lock, leaveOutDevelopment } from './complete-lock.ts';

const bundler = {
  version: '1.2.3',
  dev: true,
  optionalDependencies: {
    '@b/cli-linux-x64-musl': '1.2.3',
    '@b/cli-darwin-arm64': '1.2.3',
    '@b/here': '1.2.3',
    any: '^1',
  },
};

test('packages of other platforms that the lock file lacks are added, in order', () => {
  const lock = {
    packages: { '': {}, 'node_modules/@b/here': { version: '1.2.3' }, 'node_modules/bundler': bundler },
  };
  expect(Object.entries(completeLock(lock).packages)).toEqual([
    ['', {}],
    [
      'node_modules/@b/cli-darwin-arm64',
      { version: '1.2.3', cpu: ['arm64'], dev: true, optional: true, os: ['darwin'] },
    ],
    [
      'node_modules/@b/cli-linux-x64-musl',
      { version: '1.2.3', cpu: ['x64'], dev: true, libc: ['musl'], optional: true, os: ['linux'] },
    ],
    ['node_modules/@b/here', { version: '1.2.3' }],
    ['node_modules/bundler', bundler],
  ]);
});

test('a complete lock file is not changed, wherever its packages are', () => {
  const lock = {
    packages: {
      'node_modules/a': { version: '1.0.0' },
      'node_modules/a/node_modules/b': {
        version: '1.0.0',
        optionalDependencies: { c: '1.0.0', d: '1.0.0', e: '1.0.0' },
      },
      'node_modules/a/node_modules/b/node_modules/c': { version: '1.0.0' },
      'node_modules/a/node_modules/d': { version: '1.0.0' },
      'node_modules/e': { version: '1.0.0' },
    },
  };
  expect(completeLock(lock)).toEqual(lock);
  expect(completeLock(completeLock({ packages: { 'node_modules/bundler': bundler } }))).toEqual(
    completeLock({ packages: { 'node_modules/bundler': bundler } }),
  );
});

test('what only an optional peer asks for is for development, what a workspace needs is not', () => {
  const lock = {
    packages: {
      '': {},
      'apps/server': { dependencies: { auth: '1.0.0', ui: '1.0.0' } },
      'node_modules/auth': {
        version: '1.0.0',
        peerDependencies: { tester: '*', db: '*' },
        peerDependenciesMeta: { tester: { optional: true } },
      },
      'node_modules/db': { version: '1.0.0', devOptional: true },
      'node_modules/tester': { version: '1.0.0', devOptional: true, dependencies: { bundler: '1.0.0' } },
      'node_modules/bundler': { version: '1.0.0', devOptional: true },
      'node_modules/binding': { version: '1.0.0', optional: true },
      'node_modules/ui': { resolved: 'packages/ui', link: true },
      'packages/ui': { dependencies: { colours: '1.0.0' } },
      'node_modules/colours': { version: '1.0.0', devOptional: true },
    },
  };
  const marked: Lock['packages'] = leaveOutDevelopment<Lock>(lock).packages;
  expect(Object.keys(marked).filter(path => marked[path]!.dev)).toEqual([
    'node_modules/tester',
    'node_modules/bundler',
    'node_modules/binding',
  ]);
  expect(marked['node_modules/auth']).toEqual({ version: '1.0.0', peerDependencies: { db: '*' } });
  expect(leaveOutDevelopment({ packages: marked })).toEqual({ packages: marked });
});

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as Lock;

test('npm ci --omit=dev installs no tool of development: node tools/checks/complete-lock.ts leaves them out', () => {
  expect(leaveOutDevelopment(lock)).toEqual(lock);
  const installed = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
  const names = installed.map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(names).toContain('fastify');
  expect(
    names.filter(name =>
      /^(vitest|vite|rolldown|typescript(-7)?|@(rolldown|typescript)\/.*|node)$/.test(name),
    ),
  ).toEqual([]);
});

test('the lock file of the project is complete, so that npm ci accepts it on every platform', () => {
  const missing = Object.keys(completeLock(lock).packages).filter(path => !(path in lock.packages));
  expect(missing).toEqual([]);
});

test('every package has a checksum, but for the platforms that SECURITY.md lists', () => {
  const without = Object.entries(lock.packages).filter(
    ([path, { link, integrity }]) => path.includes('node_modules/') && !link && !integrity,
  );
  const families = without.map(([path]) => /node_modules\/(@\w[\w-]*\/[a-z]+)-/.exec(path)?.[1] ?? path);
  expect([...new Set(families)].toSorted()).toEqual([
    '@biomejs/cli',
    '@chdb/lib',
    '@oxc-parser/binding',
    '@rolldown/binding',
  ]);
  for (const [path, { optional, os, cpu }] of without)
    expect([path, optional, !!(os || cpu)]).toEqual([path, true, true]);
  const security = readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8');
  const total = Object.keys(lock.packages).filter(path => path.includes('node_modules/')).length;
  const ours = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link,
  ).length;
  expect(security).toContain(`${without.length} of ${(total - ours).toLocaleString('en')} entries`);
  for (const family of families) expect(security).toContain(`\`${family}\``);
});
