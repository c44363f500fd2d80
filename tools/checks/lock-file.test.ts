import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Lock, lockedPackages, lockFaults, withoutIntegrity } from './lock-file.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const lock = JSON.parse(read('package-lock.json')) as Lock;

test('every package of the lock file has its integrity, or is an exception that SECURITY.md counts', () => {
  expect(lockFaults(lock)).toEqual([]);
  for (const name of withoutIntegrity)
    expect([name, lock.packages[`node_modules/${name}`]]).toMatchObject([
      name,
      { dev: true, optional: true },
    ]);
  const total = lockedPackages(lock).length.toLocaleString('en');
  expect(read('SECURITY.md')).toContain(`${withoutIntegrity.length} of ${total} entries`);
});

test('a package without integrity, with an address, or of development in production is a fault', () => {
  const good = { integrity: 'sha512-1' };
  const packages = {
    '': {},
    'apps/server': {},
    'node_modules/@signpost/server': { link: true, resolved: 'apps/server' },
    'node_modules/good': good,
    'node_modules/good/node_modules/bare': {},
    'node_modules/address': { ...good, resolved: 'https://registry.example.com/address.tgz' },
    'node_modules/tester': { ...good, devOptional: true },
    'node_modules/known': good,
  };
  const faults = lockFaults({ packages }, ['known', 'dropped']);
  expect(faults.map(fault => fault.split(':')[0])).toEqual([
    'dropped is missing',
    'bare has no integrity',
    'known has its integrity and is listed as without',
    'address names a registry',
    'tester would be in production',
  ]);
});

test('npm ci --omit=dev installs the server without tools of development', () => {
  const installed = Object.entries(lock.packages).flatMap(([path, entry]) =>
    'dev' in entry ? [] : [path.replace(/^.*node_modules\//, '')],
  );
  expect(installed).toContain('fastify');
  expect(installed).not.toContain('vitest');
  expect(installed).not.toContain('vite');
  expect(installed).not.toContain('typescript');
});
