import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createServices, readEnv } from './services/run.ts';
import { namesEngines, services, soloServices } from './services/service.ts';

/**
 * Prepares a clone: PostgreSQL, `.env`, the tables and the dashboard. With `--engines`, or with a `.env` that names them, Redis
 * and NATS too, for `signpost all` and the separate roles.
 */
const root = resolve(import.meta.dirname, '../..');
const args = process.argv.slice(2);
const unknown = args.find(arg => arg !== '--engines');
if (unknown !== undefined) exitWith(`Unknown option ${unknown}: --engines, or nothing`);
const hasEngines =
  args.includes('--engines') || namesEngines({ ...readEnv(join(root, '.env')), ...process.env });

await createServices({
  project: root,
  env: process.env,
  say: line => console.log(line),
  wanted: hasEngines ? services : soloServices,
})
  .start()
  .catch(error => exitWith(error instanceof Error ? error.message : String(error)));
run('migrate');
run('build');
compile();

console.log(`
Ready. Create your account, then start the server:

  npm run signpost -- admin create-account "My shop" --owner you@example.com --operator
  npm run signpost -- ${hasEngines ? 'all' : 'solo'}

The settings are in .env. After a restart of this machine, \`npm run setup\` starts what it started now.`);

function run(script: string): void {
  const { status } = spawnSync('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** So that the first start is as quick as the next one. */
function compile(): void {
  const args = [join(root, 'apps/server/compile.js')];
  spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

function exitWith(message: string): never {
  console.error(message);
  process.exit(1);
}
