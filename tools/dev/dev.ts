import { spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { readEnv } from './services/run.ts';
import { namesEngines } from './services/service.ts';

const root = resolve(import.meta.dirname, '../..');
const main = resolve(root, 'apps/server/src/main.ts');
const vite = resolve(root, 'node_modules/vite/bin/vite.js');
const withSettings = ['--env-file-if-exists=.env'];

/** Runs a step to completion, and exits if it fails. */
function first(...args: string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const hasEngines = namesEngines({ ...readEnv(resolve(root, '.env')), ...process.env });
first(resolve(root, 'tools/dev/services.ts'), 'start', ...(hasEngines ? [] : ['--solo']));
first(...withSettings, main, 'migrate');

// The dashboard is built now and on every change; the server serves the current files.
const dashboard = spawn(process.execPath, [vite, 'build', '--watch', '--mode', 'en', 'apps/dashboard'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
// So is the reference, once: its own files seldom change.
const reference = spawn(
  process.execPath,
  [vite, 'build', '--config', 'apps/dashboard/vite.reference.config.ts'],
  { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
);
const server = spawn(process.execPath, [...withSettings, '--watch', main, hasEngines ? 'all' : 'solo'], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    dashboard.kill(signal);
    reference.kill(signal);
    server.kill(signal);
  });
}
server.on('exit', (code, signal) => {
  dashboard.kill();
  reference.kill();
  process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
});
