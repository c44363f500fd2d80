import { parseArgs } from 'node:util';
import { type Plan, proveNoLoss } from './no-loss.ts';

/**
 * `npm run chaos:webhooks [-- --short]`: 20,000 deliveries of scans and 2,000 of suspensions under 50 kills of deliver and two
 * each of NATS and PostgreSQL. The short run has a tenth of that.
 */
const { values } = parseArgs({ options: { short: { type: 'boolean' } } });
const fullPlan: Plan = {
  scans: 1_000,
  endpoints: 20,
  suspensions: 1_000,
  dispatchers: 2,
  dispatcherKills: 50,
  engineKills: 2,
  settleMs: 180_000,
};
const plan: Plan = values.short
  ? { ...fullPlan, scans: 200, endpoints: 10, suspensions: 200, dispatcherKills: 6, engineKills: 1 }
  : fullPlan;
const start = performance.now();
const figures = await proveNoLoss(plan, console.log);
const seconds = Math.round((performance.now() - start) / 1000);
const { lost, mismatched, unlogged, scanDeliveries, suspensionDeliveries, kills, engineKills } = figures;
const line = Object.entries({ ...figures, seconds }).map(([name, value]) => `${name} ${value}`);
console.log(`webhooks ${line.join(' ')}`);
const isComplete =
  scanDeliveries >= plan.scans * plan.endpoints &&
  suspensionDeliveries >= plan.suspensions &&
  kills === plan.dispatcherKills &&
  engineKills === 2 * plan.engineKills;
process.exit(isComplete && lost + mismatched + unlogged === 0 ? 0 : 1);
