import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** The release of Debian whose engines are as new as those of the compose files; its proxies are newer too. */
const release = 'forky';
const engines = ['postgresql-18', 'valkey-server', 'nats-server', 'pgbouncer', 'caddy', 'nginx'];
const programNames = [
  'lib/postgresql/*/bin/*',
  '{bin,sbin}/{valkey-server,nats-server,pgbouncer,caddy,nginx}',
];
/** Programs that have another name there than the tests call them by. */
const otherNames: Readonly<Record<string, string>> = { 'valkey-server': 'redis-server' };
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Why there are no newer engines on this machine. */
export class Unavailable extends Error {}

/**
 * The directory with the programs of the newer engines, which is downloaded once. Their libraries are beside them, the C
 * library included, so that they run on an older Debian, and as any user.
 */
export const installNewerEngines = (): string => install(engines);

/** The same of one of them, which is downloaded by itself where the others are not there. */
export function installNewer(engine: 'caddy'): string {
  const { programs } = placeFor(engines);
  return existsSync(programs) ? programs : install([engine]);
}

function placeFor(packages: readonly string[]) {
  const cache = join(cacheDirectory(), 'signpost/engines');
  const installed = join(cache, `${release}-${hash('sha256', packages.join(' ')).slice(0, 8)}`);
  return { cache, installed, programs: join(installed, 'programs') };
}

function install(packages: readonly string[]): string {
  const { cache, installed, programs } = placeFor(packages);
  if (existsSync(programs)) return programs;
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'new-'));
  try {
    const root = join(work, 'root');
    for (const file of download(work, packages)) run('dpkg-deb', ['-x', file, root]);
    // The programs get absolute paths of their libraries, so the files move to their place first.
    rmSync(installed, { recursive: true, force: true });
    renameSync(root, installed);
    link(installed, programs);
    return programs;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** As root it is one that other users can read: PostgreSQL does not run as root. */
function cacheDirectory(): string {
  const own = process.getuid?.() === 0 ? '/var/cache' : join(homedir(), '.cache');
  return process.env.XDG_CACHE_HOME || own;
}

/** The packages and all that they depend on, by an apt that knows nothing of what this machine has installed. */
function download(work: string, packages: readonly string[]): readonly string[] {
  if (!existsSync(keyring)) throw new Unavailable(`${keyring} is missing`);
  for (const dir of ['lists/partial', 'archives/partial', 'state'])
    mkdirSync(join(work, dir), { recursive: true });
  const [sources, status] = [join(work, 'sources.list'), join(work, 'status')];
  writeFileSync(sources, `deb [signed-by=${keyring}] ${findMirror()} ${release} main\n`);
  writeFileSync(status, '');
  const options = [
    ['Dir::Etc::SourceList', sources],
    ['Dir::Etc::SourceParts', join(work, 'none')],
    ['Dir::State', join(work, 'state')],
    ['Dir::State::Lists', join(work, 'lists')],
    ['Dir::State::Status', status],
    ['Dir::Cache', work],
    ['Acquire::Check-Valid-Until', 'false'],
    ['Acquire::Languages', 'none'],
    ['APT::Sandbox::User', ''],
    ['APT::Update::Post-Invoke-Success', ''],
    ['APT::Install-Recommends', 'false'],
    ['Acquire::http::Timeout', '20'],
    ['Acquire::Retries', '1'],
  ].flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  run('apt-get', [...options, '-q', 'update']);
  run('apt-get', [...options, '-q', '-y', '--download-only', 'install', ...packages, 'patchelf']);
  return globSync(join(work, 'archives/*.deb'));
}

/** The mirror that this machine has its Debian from. */
function findMirror(): string {
  const lines = run('apt-get', ['indextargets', '--format', '$(ORIGIN) $(REPO_URI)', 'Created-By: Packages']);
  const ofDebian = /^Debian (\S+\/debian\/?)$/m.exec(lines)?.[1];
  if (ofDebian === undefined) throw new Unavailable('this machine has no sources of Debian');
  return ofDebian;
}

/** Makes a directory of the programs. Each is told where the loader and the libraries of its own release are. */
function link(root: string, programs: string): void {
  const [loader] = globSync(join(root, 'usr/lib/*/ld-linux-*.so.*'));
  if (loader === undefined) throw new Error('the C library has no loader');
  const libraries = [dirname(loader), ...globSync(join(root, 'usr/lib/postgresql/*/lib'))].join(':');
  const [patchelf] = globSync(join(root, 'usr/bin/patchelf'));
  const unfinished = `${programs}.new`;
  mkdirSync(unfinished);
  for (const file of programNames.flatMap(place => globSync(join(root, 'usr', place)))) {
    if (isDynamic(file))
      execFileSync(loader, [
        ...['--library-path', libraries, patchelf!],
        ...['--set-interpreter', loader, '--force-rpath', '--set-rpath', libraries, file],
      ]);
    symlinkSync(file, join(unfinished, otherNames[basename(file)] ?? basename(file)));
  }
  renameSync(unfinished, programs);
}

/** An ELF file that names its loader; NATS is linked statically. */
function isDynamic(file: string): boolean {
  const bytes = readFileSync(file);
  return bytes.subarray(1, 4).toString('latin1') === 'ELF' && bytes.subarray(0, 4096).includes('/ld-linux');
}

function run(command: string, args: readonly string[]): string {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: string };
    const why = code === 'ENOENT' ? 'is not installed' : `failed: ${stderr?.trim().split('\n').at(-1)}`;
    throw new Unavailable(`${command} ${why}`, { cause: error });
  }
}
