import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

type Entry = {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly devOptional?: boolean;
};
export type Lock = { readonly packages: Readonly<Record<string, Entry>> };

const builds = (prefix: string, platforms: string) => platforms.split(' ').map(name => `${prefix}-${name}`);

/** Builds of development tools for other platforms that our mirror does not have: nobody here has seen their checksums. */
export const withoutIntegrity: readonly string[] = [
  ...builds('@biomejs/cli', 'android-arm64 android-x64 darwin-arm64 darwin-x64 win32-arm64 win32-x64'),
  ...builds('@chdb/lib', 'darwin-arm64 darwin-x64 linux-arm64-gnu'),
  ...builds('@oxc-parser/binding', 'android-arm-eabi android-arm64 darwin-arm64 darwin-x64 freebsd-x64'),
  ...builds('@oxc-parser/binding-linux', 'arm-gnueabihf arm-musleabihf ppc64-gnu riscv64-gnu riscv64-musl'),
  ...builds('@oxc-parser/binding', 'linux-s390x-gnu openharmony-arm64 win32-arm64-msvc win32-ia32-msvc'),
  '@oxc-parser/binding-win32-x64-msvc',
];

/** The entries that are not our own workspaces. */
export const lockedPackages = ({ packages }: Lock) =>
  Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, entry]) => ({ ...entry, name: path.replace(/^.*node_modules\//, '') }));

export function lockFaults(lock: Lock, exceptions = withoutIntegrity): readonly string[] {
  const packages = lockedPackages(lock);
  const faultsOf = (fault: string, faulty: (entry: (typeof packages)[number]) => unknown) =>
    packages.filter(faulty).map(({ name }) => `${name} ${fault}`);
  const names = packages.map(({ name }) => name);
  return [
    // npm drops what its registry does not have, and `npm ci` then refuses the lock file everywhere.
    ...exceptions.filter(name => !names.includes(name)).map(name => `${name} is missing: restore its entry`),
    ...faultsOf('has no integrity', ({ name, integrity }) => !integrity && !exceptions.includes(name)),
    ...faultsOf('has its integrity and is listed as without', ({ name, integrity }) =>
      Boolean(integrity && exceptions.includes(name)),
    ),
    ...faultsOf('names a registry', ({ resolved }) => resolved),
    // npm installs an optional peer that the project has for development, in `npm ci --omit=dev` too.
    ...faultsOf(
      'would be in production: take it out of the optional peers of others and run `npm install --package-lock-only`',
      ({ devOptional }) => devOptional,
    ),
  ];
}

if (import.meta.main) {
  const text = readFileSync(resolve(import.meta.dirname, '../../package-lock.json'), 'utf8');
  const faults = lockFaults(JSON.parse(text) as Lock);
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
