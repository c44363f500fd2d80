import type { Config } from '../config/config.ts';
import { createLifecycle } from '../kernel/running/lifecycle.ts';
import { withTimeout } from '../kernel/running/with-timeout.ts';
import { checkAuditLog } from './audit-log.ts';
import { checkBackup } from './backup.ts';
import { checkConnections } from './connections.ts';
import { connectAll, type DoctorContext, type InUse } from './context.ts';
import { checkDomains } from './domains.ts';
import { checkClickHouse, checkNats, checkPostgres, checkRedis } from './engines.ts';
import { describeError, type Finding, type Outcome, problem } from './finding.ts';
import { checkGeoip } from './geoip.ts';
import { checkKeys } from './keys.ts';
import { checkLag } from './lag.ts';
import { checkMail } from './mail.ts';
import { checkOperator } from './operator.ts';
import { checkPlan } from './plan.ts';
import { checkAddress, checkReach, checkTls } from './reach.ts';
import { checkRetention } from './retention.ts';
import { checkRules } from './rules.ts';
import { checkScans } from './scans.ts';
import { checkSettings } from './settings.ts';
import { checkSignUp } from './sign-up.ts';
import { checkBacklog, checkDisk } from './spool.ts';
import { checkSpoolsLeft } from './spools-left.ts';
import { checkClock, checkMigrations } from './stores.ts';
import { checkWebhooks } from './webhooks.ts';

type Check = (context: DoctorContext) => Promise<Outcome | readonly Outcome[]>;

/** In the order in which one thing depends on another. */
const checks: Readonly<Record<string, Check>> = {
  settings: checkSettings,
  PostgreSQL: checkPostgres,
  connections: checkConnections,
  Redis: checkRedis,
  NATS: checkNats,
  ClickHouse: checkClickHouse,
  migrations: checkMigrations,
  scans: checkScans,
  operator: checkOperator,
  plan: checkPlan,
  'sign-up': checkSignUp,
  'operator keys': checkKeys,
  mail: checkMail,
  clock: checkClock,
  geoip: checkGeoip,
  rules: checkRules,
  domains: checkDomains,
  'spool disk': checkDisk,
  spool: checkBacklog,
  'spools left': checkSpoolsLeft,
  ingest: checkLag,
  retention: checkRetention,
  'audit log': checkAuditLog,
  webhooks: checkWebhooks,
  backup: checkBackup,
  reach: checkReach,
  TLS: checkTls,
  'address seen': checkAddress,
};

/** Longer than any check waits for what it asks: what takes this long hangs. */
const checkTimeoutMs = 15_000;

/** Runs every check at the same time. It changes nothing. */
export async function diagnose(config: Config, inUse?: InUse): Promise<readonly Finding[]> {
  const lifecycle = createLifecycle();
  try {
    const context = await connectAll(config, lifecycle, inUse);
    const findings = await Promise.all(Object.entries(checks).map(entry => runCheck(entry, context)));
    return findings.flat();
  } finally {
    await lifecycle.close();
  }
}

/** A check that throws is a finding too, so that the others are still reported. */
async function runCheck([check, run]: [string, Check], context: DoctorContext): Promise<readonly Finding[]> {
  try {
    const outcomes = [await withTimeout(checkTimeoutMs, Promise.resolve(run(context)))].flat();
    return outcomes.map(outcome => ({ check, ...outcome }));
  } catch (error) {
    return [{ check, ...problem(`the check itself failed: ${describeError(error)}`, 'Please report this.') }];
  }
}
