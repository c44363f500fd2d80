import { spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const main = resolve(root, 'apps/server/src/main.ts');
const vite = resolve(root, 'node_modules/vite/bin/vite.js');
const withSettings = ['--env-file-if-exists=.env'];

/** Runs a step to its end; without it there is no use in going on. */
function first(...args: string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

first(resolve(root, 'tools/services.ts'));
first(...withSettings, main, 'migrate');

// The dashboard is built now and again on every change; the server sends whatever lies there.
const dashboard = spawn(process.execPath, [vite, 'build', '--watch', 'apps/dashboard'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const server = spawn(process.execPath, [...withSettings, '--watch', main, 'all'], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    dashboard.kill(signal);
    server.kill(signal);
  });
}
server.on('exit', (code, signal) => {
  dashboard.kill();
  process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
});
