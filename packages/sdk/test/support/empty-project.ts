import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../../../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

/** A project of a stranger: nothing in it but the package, installed from a server. */
export type EmptyProject = {
  readonly dir: string;
  write(file: string, text: string): string;
  /** Compiles the TypeScript of the project, strictly; returns what the compiler says. */
  compile(lib: readonly string[], types: readonly string[]): Promise<string>;
  /** Runs a file to its end; returns what it prints. Throws when it fails. */
  run(file: string, env: Record<string, string>): Promise<string>;
  start(file: string, env: Record<string, string>): ReturnType<typeof spawn>;
};

/** Installs the package of the server at `url` with npm, and without a registry. */
export function createEmptyProject(url: string): EmptyProject {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-sdk-user-'));
  writeFileSync(join(dir, 'package.json'), '{ "name": "user", "private": true, "type": "module" }');
  const options = [
    '--registry=http://127.0.0.1:9',
    '--cache=.npm',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  execFileSync('npm', ['install', `${url}/docs/sdk.tgz`, ...options], { cwd: dir });
  const write = (file: string, text: string) => {
    const path = join(dir, file);
    mkdirSync(resolve(path, '..'), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  return {
    dir,
    write,
    async compile(lib, types) {
      const compilerOptions = {
        ...{ target: 'es2022', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: false },
        ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
        ...{ lib, types, typeRoots: [join(root, 'node_modules/@types')] },
      };
      write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
      const { stdout } = await run(process.execPath, [tsc, '-p', dir]).catch(
        (error: { stdout: string }) => error,
      );
      return stdout;
    },
    async run(file, env) {
      const options = { cwd: dir, env: { PATH: process.env.PATH, ...env }, timeout: 60_000 };
      return (await run(process.execPath, [file], options)).stdout;
    },
    start: (file, env) =>
      spawn(process.execPath, [file], {
        cwd: dir,
        env: { PATH: process.env.PATH, ...env },
        stdio: 'inherit',
      }),
  };
}
