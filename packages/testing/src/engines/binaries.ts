import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of an installed program, or undefined. Directories beyond PATH are searched first. */
export function findBinary(name: string, directories: readonly string[] = []): string | undefined {
  const path = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return [...directories, ...path, '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']
    .map(directory => join(directory, name))
    .find(isExecutable);
}

export function needBinary(name: string, directories: readonly string[] = []): string {
  const found = findBinary(name, directories);
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}

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
