import { parseArgs } from 'node:util';
import { type Plan, proveNoLoss } from './no-loss.ts';

/**
 * `npm run chaos:webhooks [-- --short]`: 20,000 deliveries of scans and 2,000 of suspensions under 50 kills of whoever delivers,
 * and two each of NATS and PostgreSQL. The short one has a tenth of that.
 */
const { values } = parseArgs({ options: { short: { type: 'boolean' } } });
const whole: Plan = {
  scans: 1_000,
  endpoints: 20,
  suspensions: 1_000,
  delivers: 2,
  deliverKills: 50,
  engineKills: 2,
  settleMs: 180_000,
};
const plan: Plan = values.short
  ? { ...whole, scans: 200, endpoints: 10, suspensions: 200, deliverKills: 6, engineKills: 1 }
  : whole;
const start = performance.now();
const figures = await proveNoLoss(plan, console.log);
const seconds = Math.round((performance.now() - start) / 1000);
const { lost, strange, unlogged, deliveries, told, kills, engineKills } = figures;
const line = Object.entries({ ...figures, seconds }).map(([name, value]) => `${name} ${value}`);
console.log(`webhooks ${line.join(' ')}`);
const isWhole =
  deliveries >= plan.scans * plan.endpoints &&
  told >= plan.suspensions &&
  kills === plan.deliverKills &&
  engineKills === 2 * plan.engineKills;
process.exit(isWhole && lost + strange + unlogged === 0 ? 0 : 1);
