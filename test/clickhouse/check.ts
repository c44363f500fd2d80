import { backup, ownBackup } from './checks/backup.ts';
import { killedInserts, tokens } from './checks/inserts.ts';
import { exceptions, timeLimits } from './checks/reading.ts';
import { erasure, months } from './checks/removing.ts';
import { figures, migrations } from './checks/storing.ts';
import { type CheckOptions, openContext } from './context.ts';
import { formatReport } from './report.ts';
import { createRedaction, openScratch, type Scratch } from './scratch.ts';
import { describeServer, describeSignpost, describeTable, type Facts } from './server.ts';
import { type Print, runSteps } from './steps.ts';

/** In this order: the erased code and the removed month are gone from the figures of the later ones. */
const checks = {
  migrations,
  figures,
  inserts: killedInserts,
  tokens,
  erasure,
  limits: timeLimits,
  exceptions,
  backup,
  'own-backup': ownBackup,
  months,
};

export const checkNames = Object.keys(checks);
/** They compare figures with those of the stored scans. */
const comparing = ['erasure', 'backup', 'own-backup', 'months'];

function chooseChecks(only: readonly string[] = checkNames) {
  const needed = only.some(name => comparing.includes(name)) ? ['migrations', 'figures'] : ['migrations'];
  return Object.entries(checks)
    .filter(([name]) => only.includes(name) || needed.includes(name))
    .map(([, check]) => check);
}

/** Prints what happens, then the report; resolves to whether nothing failed. */
export async function checkClickHouse(
  options: CheckOptions,
  print: Print,
  signal: AbortSignal,
): Promise<boolean> {
  const redact = createRedaction(options.url);
  const say = (text: string) => print(redact(text));
  const scratch = await openScratch(options.url);
  try {
    const facts: Facts = {
      ...describeSignpost(),
      ...(await describeServer(scratch.outside)),
      Scans: options.scans.toLocaleString('en'),
    };
    say(`The checks work in the database ${scratch.name} and drop it at the end.`);
    const context = await openContext(options, scratch);
    try {
      const steps = chooseChecks(options.only).map(check => check(context));
      const results = await runSteps(steps, say, signal, toText);
      say(`\n${formatReport({ ...facts, ...(await describeTable(context.clickhouse)) }, results)}`);
      return results.every(({ outcome }) => outcome !== 'failed');
    } finally {
      await context.clickhouse.close();
    }
  } finally {
    await drop(scratch, say);
  }
}

async function drop(scratch: Scratch, say: Print): Promise<void> {
  try {
    const names = await scratch.dropAll();
    if (names.length > 0) say(`Dropped ${names.join(', ')}.`);
  } catch (error) {
    say(`Drop the databases whose names begin with ${scratch.name} yourself: ${toText(error)}`);
  }
}

/** With what ClickHouse itself said. */
export function toText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}`;
}
