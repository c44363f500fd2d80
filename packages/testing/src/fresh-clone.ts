import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { needBinary, systemPath } from './engines/binaries.ts';
import { Terminal } from './terminal.ts';

/** The environment of a new contributor: an empty home, an empty folder, the programs of the system. */
export type FreshClone = {
  readonly folder: string;
  openTerminal(at: string, more?: Readonly<Record<string, string>>): Terminal;
  closeTerminals(): Promise<void>;
  /** Closes the terminals and removes the folders. */
  leave(): Promise<void>;
};

export function createFreshClone(): FreshClone {
  const place = mkdtempSync(join(tmpdir(), 'signpost-fresh-clone-'));
  // PostgreSQL, started by root, runs as another user, who needs access.
  chmodSync(place, 0o755);
  const [home, folder] = [join(place, 'home'), join(place, 'work')];
  for (const made of [home, folder]) mkdirSync(made);
  // Git refuses to clone by path from a repository of another user.
  writeFileSync(join(home, '.gitconfig'), '[safe]\n\tdirectory = *\n');
  const env = { HOME: home, PATH: requiredPath(), ...machineNpm() };
  const terminals: Terminal[] = [];
  const closeTerminals = async () => {
    for (const terminal of terminals.splice(0)) await terminal.close();
  };
  return {
    folder,
    openTerminal(at, more = {}) {
      const terminal = new Terminal(at, { ...env, ...more });
      terminals.push(terminal);
      return terminal;
    },
    closeTerminals,
    async leave() {
      await closeTerminals();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** A PATH with what the README requires, and without anything that npm installed. */
function requiredPath(): string {
  const path = systemPath().filter(part => !part.includes('node_modules'));
  const asked = ['git', 'curl', 'npm', 'node'];
  const places = asked.map(name => dirname(needBinary(name, [], path)));
  return [...new Set([...places, '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'])].join(
    delimiter,
  );
}

/** The machine's npm registry and npm's cache, so that 700 MB are not downloaded again. */
function machineNpm(): Record<string, string> {
  const get = (name: string) =>
    execFileSync('npm', ['config', 'get', name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  return {
    npm_config_cache: get('cache'),
    npm_config_userconfig: get('userconfig'),
    npm_config_prefer_offline: 'true',
    // The certificates that the machine trusts for its registry.
    ...(process.env.NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS } : {}),
  };
}
