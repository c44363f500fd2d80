import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { needBinary } from '@signpost/testing/engines/binaries.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { startRedis } from '@signpost/testing/engines/redis.ts';
import type { Part } from '../../tools/ci/parts.ts';
import { runPart } from '../../tools/ci/run-part.ts';
import { endChildren } from './end-children.ts';
import { installNewerEngines, Unavailable } from './packages.ts';

/**
 * `npm run test:engines [-- FILES] [--only silence,chaos]`: the integration tests and the end-to-end tests that kill and
 * freeze engines, on the versions of PostgreSQL, Redis (Valkey) and NATS that the compose files install. With `FILES`, the
 * integration tests of these only. Tests that start an engine themselves take the newer one, because it is first on the
 * PATH.
 */
const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' } },
});
const chaosOutput = '.reports/engines-chaos.txt';
const parts: readonly Part[] = [
  { name: 'integration', kind: 'tests', project: 'integration', files },
  {
    name: 'at-once and log-replaced',
    kind: 'tests',
    project: 'e2e parallel',
    files: ['e2e/at-once', 'e2e/log-replaced'],
  },
  { name: 'silence', kind: 'tests', project: 'e2e', files: ['e2e/silence'] },
  { name: 'chaos', kind: 'command', command: ['node', 'test/chaos/main.ts', '--short'], minutes: 20 },
];
const names = values.only.split(',').filter(Boolean);
const unknown = names.filter(name => !parts.some(part => part.name === name));
if (unknown.length > 0)
  throw new Error(`no part is named ${unknown}; there are ${parts.map(part => part.name).join(', ')}`);
const isChosen = ({ name }: Part) =>
  names.length > 0 ? names.includes(name) : files.length === 0 || name === 'integration';

try {
  const programs = installNewerEngines();
  process.env.PATH = `${programs}${delimiter}${process.env.PATH}`;
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  console.log(`skipped: the packages of the newer engines cannot be had here: ${error.message}`);
  process.exit();
}

// Everything that tests and engines write goes with it, whatever becomes of them. Engines may run as another user.
const dir = mkdtempSync(join(tmpdir(), 'signpost-engines-'));
chmodSync(dir, 0o1777);
process.env.TMPDIR = dir;
let stopping: Promise<never> | undefined;
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.on(signal, () => {
    stopping ??= stop(code);
  });

const engines: Engine[] = [];
try {
  for (const start of [startPostgres, startRedis, startNats]) engines.push(await start());
  const [postgres, redis, nats] = engines;
  process.env.CI = 'true';
  process.env.TEST_POSTGRES_URL = postgres!.url;
  process.env.TEST_REDIS_URL = redis!.url;
  process.env.TEST_NATS_URL = nats!.url;
  const figures: string[] = [];
  for (const part of parts.filter(isChosen)) figures.push(await run(part));
  const versions = [
    `PostgreSQL ${versionOf('postgres')}`,
    `Valkey ${versionOf('redis-server')}`,
    `NATS ${versionOf('nats-server')}`,
  ];
  console.log(`${versions.join(', ')}: ${figures.join('; ')}`);
} finally {
  await stopping;
  for (const engine of engines.toReversed()) await engine.remove();
  rmSync(dir, { recursive: true, force: true });
}

/** Tests have engines and processes of their own, which a signal to this process does not reach. */
async function stop(code: number): Promise<never> {
  await endChildren();
  rmSync(dir, { recursive: true, force: true, maxRetries: 20 });
  process.exit(code);
}

async function run(part: Part): Promise<string> {
  console.log(`\n== ${part.name}`);
  const isChaos = part.kind === 'command';
  const {
    passed,
    failed,
    flaky = [],
    seconds,
  } = await runPart(part, isChaos ? { file: chaosOutput } : 'shown');
  await stopping;
  if (failed.length > 0) process.exitCode = 1;
  for (const name of failed) console.log(`failed: ${name}`);
  for (const name of flaky) console.log(`passed only on its rerun: ${name}`);
  if (isChaos) {
    const output = readFileSync(chaosOutput, 'utf8').trim();
    console.log(output);
    const figures = output.split('\n').at(-1)!;
    return failed.length > 0 ? `chaos failed: ${figures}` : figures;
  }
  const reruns = flaky.length > 0 ? ` (${flaky.length} on their rerun)` : '';
  return `${part.name} ${passed} passed${reruns}, ${failed.length} failed in ${Math.round(seconds)} s`;
}

function versionOf(program: string): string {
  const output = execFileSync(needBinary(program), ['--version'], { encoding: 'utf8' });
  return /\d+(?:\.\d+)+/.exec(output)![0];
}
