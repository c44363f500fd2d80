import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is recorded about an engine that we started. */
export type Started = { readonly pid: number; readonly port: number; readonly dir: string };

export function rememberStarted(root: string, key: string, started: Started): void {
  writeFileSync(pathOf(root, key), `${JSON.stringify(started)}\n`);
}

/** The engine that we started, if it still runs. */
export function recallStarted(root: string, key: string): Started | undefined {
  try {
    const started = JSON.parse(readFileSync(pathOf(root, key), 'utf8')) as Started;
    return runsIn(started) ? started : undefined;
  } catch {
    return undefined;
  }
}

export function forgetStarted(root: string, key: string): void {
  rmSync(pathOf(root, key), { force: true });
}

const pathOf = (root: string, key: string) => join(root, `${key}.pid.json`);

/** A pid may have been reused; our engine has its directory or port in its command line. */
function runsIn({ pid, dir, port }: Started): boolean {
  const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return command.includes(dir) || command.includes(`:${port}`);
}
