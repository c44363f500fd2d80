import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

type Entry = {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

export type Lock = { readonly packages: Readonly<Record<string, Entry>> };

/**
 * Adds the packages of other platforms that a lock file lacks. npm leaves out those that a partial mirror does not have, and
 * `npm ci` then refuses the file everywhere. Their checksums are not known here.
 */
export function completeLock<T extends Lock>(lock: T): T {
  const { packages } = lock;
  const missing = Object.entries(packages).flatMap(([path, { dev, optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, version]) => isExact(version) && !isLocked(packages, path, name))
      .map(([name, version]) => [`node_modules/${name}`, entryOf(name, version, dev)] as const),
  );
  const all = [...Object.entries(packages), ...missing].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return { ...lock, packages: Object.fromEntries(all) };
}

const isExact = (version: string) => /^\d+\.\d+\.\d+[\w.+-]*$/.test(version);

/** A dependency is in the package's own node_modules, or in any outer one. */
function isLocked(packages: Lock['packages'], path: string, name: string): boolean {
  if (`${path ? `${path}/` : ''}node_modules/${name}` in packages) return true;
  if (path === '') return false;
  const outer = path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')));
  return isLocked(packages, outer, name);
}

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** Such packages have the platform in their name: `cli-linux-x64-musl`. */
function entryOf(name: string, version: string, dev: boolean | undefined): Entry {
  const words = name.slice(name.lastIndexOf('/') + 1).split('-');
  const cpu = words.filter(word => processors.includes(word));
  const os = words.filter(word => systems.includes(word));
  const libc =
    os.includes('linux') && words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : [];
  return {
    version,
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(dev ? { dev } : {}),
    ...(libc.length > 0 ? { libc } : {}),
    optional: true,
    ...(os.length > 0 ? { os } : {}),
  };
}

if (import.meta.main) {
  const path = resolve(import.meta.dirname, '../../package-lock.json');
  const lock = JSON.parse(readFileSync(path, 'utf8')) as Lock;
  const complete = completeLock(lock);
  const added = Object.keys(complete.packages).length - Object.keys(lock.packages).length;
  if (added > 0) writeFileSync(path, `${JSON.stringify(complete, null, 2)}\n`);
  console.log(`package-lock.json: ${added} packages of other platforms added`);
}
