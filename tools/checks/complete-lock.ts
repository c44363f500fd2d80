import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

type Entry = {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
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

/** A dependency is in the package's own node_modules, or in any outer one. Returns where it is. */
function findLocked(packages: Lock['packages'], path: string, name: string): string | null {
  const own = `${path ? `${path}/` : ''}node_modules/${name}`;
  if (own in packages) return own;
  if (path === '') return null;
  const outer = path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')));
  return findLocked(packages, outer, name);
}

const isLocked = (packages: Lock['packages'], path: string, name: string): boolean =>
  findLocked(packages, path, name) !== null;

/**
 * Leaves out the optional peers of what the server runs, and marks as development what nothing else needs. better-auth accepts
 * Vitest, React and Vue; npm installs an optional peer that the project has for another purpose, and with it its own
 * dependencies, in `npm ci --omit=dev` too. Nothing loads them there.
 */
export function leaveOutDevelopment<T extends Lock>(lock: T): T {
  const workspaces = Object.keys(lock.packages).filter(
    path => path !== '' && !path.includes('node_modules/'),
  );
  const needed = neededBy(lock.packages, workspaces);
  const running = neededBy(lock.packages, ['apps/server']);
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    const isDevelopment = !needed.has(path) && !entry.dev && (entry.devOptional || entry.optional);
    const marked = isDevelopment ? asDevelopment(entry) : entry;
    return [path, running.has(path) ? withoutOptionalPeers(marked) : marked];
  });
  return { ...lock, packages: Object.fromEntries(packages) };
}

function withoutOptionalPeers(entry: Entry): Entry {
  const { peerDependencies, peerDependenciesMeta, ...rest } = entry;
  if (!peerDependencies || !peerDependenciesMeta) return entry;
  const required = Object.entries(peerDependencies).filter(([name]) => !peerDependenciesMeta[name]?.optional);
  return required.length > 0 ? { ...rest, peerDependencies: Object.fromEntries(required) } : rest;
}

/** In the order in which npm writes the fields. */
const asDevelopment = (entry: Entry): Entry =>
  Object.fromEntries(
    Object.entries(entry).flatMap(field =>
      field[0] === 'devOptional'
        ? [['dev', true]]
        : field[0] === 'optional'
          ? [['dev', true], field]
          : [field],
    ),
  );

function neededBy(packages: Lock['packages'], from: readonly string[]): ReadonlySet<string> {
  const needed = new Set<string>();
  const waiting = [...from];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entry = packages[path];
    if (!entry || needed.has(path)) continue;
    needed.add(path);
    if (entry.link && entry.resolved) waiting.push(entry.resolved);
    const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = entry;
    const peers = Object.keys(peerDependencies).filter(name => !peerDependenciesMeta?.[name]?.optional);
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const at = findLocked(packages, path, name);
      if (at !== null) waiting.push(at);
    }
  }
  return needed;
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
  const text = readFileSync(path, 'utf8');
  const lock = JSON.parse(text) as Lock;
  const complete = leaveOutDevelopment(completeLock(lock));
  const added = Object.keys(complete.packages).length - Object.keys(lock.packages).length;
  const written = `${JSON.stringify(complete, null, 2)}\n`;
  if (written !== text) writeFileSync(path, written);
  console.log(`package-lock.json: ${added} packages of other platforms added`);
}
