import type { Config } from '../../config.ts';
import { createLifecycle } from '../../kernel/lifecycle.ts';
import type { Print } from '../print.ts';
import { checkBackup } from './backup.ts';
import { checkConnections } from './connections.ts';
import { checkClickHouse, checkNats, checkPostgres, checkRedis } from './engines.ts';
import { type Finding, type Outcome, problem, warning, wordsOf } from './finding.ts';
import { checkLag } from './lag.ts';
import { checkOperator } from './operator.ts';
import { examine, type Patient } from './patient.ts';
import { checkPlaces } from './places.ts';
import { checkPlan } from './plan.ts';
import { checkAddress, checkReach, checkTls } from './reach.ts';
import { report } from './report.ts';
import { checkSettings } from './settings.ts';
import { checkBacklog, checkDisk } from './spool.ts';
import { checkSpoolsLeft } from './spools-left.ts';
import { checkClock, checkMigrations } from './stores.ts';
import { checkStrangers } from './strangers.ts';
import { checkWebhooks } from './webhooks.ts';

/** What is looked at, in the order in which one thing rests on another. */
export const checks: Readonly<Record<string, (patient: Patient) => Promise<Outcome | readonly Outcome[]>>> = {
  settings: checkSettings,
  PostgreSQL: checkPostgres,
  connections: checkConnections,
  Redis: checkRedis,
  NATS: checkNats,
  ClickHouse: checkClickHouse,
  migrations: checkMigrations,
  operator: checkOperator,
  plan: checkPlan,
  strangers: checkStrangers,
  clock: checkClock,
  places: checkPlaces,
  'spool disk': checkDisk,
  spool: checkBacklog,
  'spools left': checkSpoolsLeft,
  ingest: checkLag,
  webhooks: checkWebhooks,
  backup: checkBackup,
  reach: checkReach,
  TLS: checkTls,
  'address seen': checkAddress,
};

/** Looks at everything, prints what it found, and tells whether there is no problem. It changes nothing. */
export async function runDoctor(
  args: readonly string[],
  readConfig: () => Config,
  print: Print,
  typos: readonly Typo[] = [],
): Promise<boolean> {
  const findings = [...(await diagnose(readConfig)), ...typos.map(typoFinding)];
  print(args.includes('--json') ? JSON.stringify(findings, null, 2) : report(findings));
  return findings.every(finding => finding.state !== 'problem');
}

type Typo = { readonly given: string; readonly meant: string };

const typoFinding = ({ given, meant }: Typo): Finding => ({
  check: 'settings',
  ...warning(
    `${given} is set, which is not a setting; ${meant} is not set`,
    `If you meant ${meant}, rename it.`,
  ),
});

async function diagnose(readConfig: () => Config): Promise<readonly Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    return [
      { check: 'settings', ...problem(wordsOf(error), 'Set them, then look again: the rest needs them.') },
    ];
  }
  const lifecycle = createLifecycle();
  try {
    const patient = await examine(config, lifecycle);
    const found = await Promise.all(Object.entries(checks).map(entry => look(entry, patient)));
    return found.flat();
  } finally {
    await lifecycle.close();
  }
}

/** A check that fails is a finding too: the others are still worth something. */
async function look([check, run]: (typeof entries)[number], patient: Patient): Promise<readonly Finding[]> {
  try {
    const outcomes = [await run(patient)].flat();
    return outcomes.map(outcome => ({ check, ...outcome }));
  } catch (error) {
    return [{ check, ...problem(`the check itself failed: ${wordsOf(error)}`, 'Please report this.') }];
  }
}

const entries = Object.entries(checks);
