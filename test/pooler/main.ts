import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { postgresUrl } from '@signpost/testing/database.ts';
import { startPgBouncer } from '@signpost/testing/engines/pgbouncer.ts';

/**
 * `npm run test:pooler -- FILES`: integration tests with PgBouncer in transaction mode between the service and PostgreSQL.
 * Without files, all tests of the API.
 */
const api = ['qrcodes', 'accounts', 'users', 'http', 'webhooks', 'images', 'analytics', 'suspensions'];
const named = process.argv.slice(2);
const files = named.length > 0 ? named : api.map(folder => `apps/server/src/${folder}/`);

const pooler = await startPgBouncer({ postgresUrl });
const args = ['run', '--project', 'integration', ...files];
const tests = spawn('vitest', args, {
  env: { ...process.env, TEST_POOLER_URL: pooler.url },
  stdio: 'inherit',
});
const [code] = (await once(tests, 'exit')) as [number | null];
await pooler.remove();
process.exitCode = code ?? 1;
