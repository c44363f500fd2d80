import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { gate, type Part } from './parts.ts';
import { runPart } from './run-part.ts';
import { measureSpeed } from './speed.ts';
import { judge, type KnownFlaky, type PartResult, type Speed } from './verdict.ts';

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** `--config FILE` replaces the parts, the list of flaky tests and the speed: for tests of this program. */
const { values } = parseArgs({ options: { config: { type: 'string' } } });
const given: { parts?: Part[]; flaky?: KnownFlaky[]; speed?: Speed } = values.config
  ? readJson(values.config)
  : {};
const beside = (name: string) => join(import.meta.dirname, name);
const times: { readonly quietMs: number; readonly parts: Readonly<Record<string, number>> } = readJson(
  beside('seconds.json'),
);
const parts = given.parts ?? gate;
const known = given.flaky ?? (readJson(beside('flaky.json')) as KnownFlaky[]);

mkdirSync('.reports', { recursive: true });
mkdirSync('.logs', { recursive: true });
const { quietMs } = given.speed ?? times;
let speed: Speed = given.speed ?? { measuredMs: await measureSpeed(), quietMs };
console.log(`speed: ${Math.round(speed.measuredMs)} ms for fixed work, ${quietMs} ms when quiet`);

/** The machine may have become slow since the start: the slowest measurement counts. */
async function measureAgain(): Promise<void> {
  if (given.speed) return;
  speed = { quietMs, measuredMs: Math.max(speed.measuredMs, await measureSpeed()) };
}

async function isTooLate({ until }: Part): Promise<boolean> {
  // What .ci/run took before counts as well: it sets when the run began.
  const startedAtMs = Number(process.env.CI_STARTED_AT ?? 0) * 1000 || performance.timeOrigin;
  if (until === undefined || Date.now() - startedAtMs < until * 60_000) return false;
  await measureAgain();
  return true;
}

const isBesideAnother = (part: Part) => part.kind === 'command' && part.beside !== undefined;

/** Runs the parts that are meant to run beside this one as well. They take no time of their own. */
async function runWithCompanions(part: Part): Promise<readonly PartResult[]> {
  const companions = parts.filter(other => other.kind === 'command' && other.beside === part.name);
  const running = companions.map(async other => {
    const file = `.reports/${other.name.replaceAll(/\W/g, '-')}.txt`;
    return { file, result: await runPart(other, { file }) };
  });
  const own = (await isTooLate(part))
    ? { name: part.name, seconds: 0, passed: 0, failed: [], isLeftOut: true }
    : await runPart(part, 'shown', measureAgain);
  const others = await Promise.all(running);
  for (const { file, result } of others)
    console.log(`\n== ${result.name}, beside ${part.name}\n${readFileSync(file, 'utf8')}`);
  return [own, ...others.map(({ result }) => ({ ...result, seconds: 0 }))];
}

/**
 * A PostgreSQL of this run: three test files beside each other need more connections than one has by default, and none of them
 * should wait for the disk of a shared machine. What is killed here is a process, never the machine, so nothing is lost.
 */
const postgres = given.parts
  ? undefined
  : await startPostgres({ settings: { max_connections: 400, fsync: 'off', max_wal_size: '4GB' } });
if (postgres) {
  process.env.TEST_POSTGRES_URL = postgres.url;
  process.env.DATABASE_URL = postgres.url;
}

const results: PartResult[] = [];
for (const part of parts.filter(one => !isBesideAnother(one))) {
  console.log(`\n== ${part.name}`);
  results.push(...(await runWithCompanions(part)));
}

console.log('\n== summary');
const { lines, failed } = judge(results, known, speed, new Date());
const seconds = Object.fromEntries(results.map(result => [result.name, Math.round(result.seconds)]));
writeFileSync(
  '.reports/seconds.json',
  `${JSON.stringify({ quietMs: Math.round(speed.measuredMs), parts: seconds }, null, 2)}\n`,
);
for (const line of lines) console.log(line);
process.exitCode = failed > 0 ? 1 : 0;
await postgres?.remove();
