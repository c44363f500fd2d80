import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of an installed program, or undefined: the first on the path, or else in one of the directories beyond it. */
export function findBinary(
  name: string,
  beyond: readonly string[] = [],
  path = systemPath(),
): string | undefined {
  return [...path, ...beyond, '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']
    .map(directory => join(directory, name))
    .find(isExecutable);
}

export function needBinary(name: string, beyond?: readonly string[], path?: readonly string[]): string {
  const found = findBinary(name, beyond, path);
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}

export const systemPath = (): readonly string[] => (process.env.PATH ?? '').split(delimiter).filter(Boolean);

/** Debian keeps the programs of each PostgreSQL version apart, and the server's are not on PATH. Newest first. */
export function postgresDirectories(root = '/usr/lib/postgresql'): readonly string[] {
  try {
    return readdirSync(root)
      .sort((a, b) => Number(b) - Number(a))
      .map(version => join(root, version, 'bin'));
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
