import { proveNoLoss } from './no-loss.ts';

/** `npm run chaos:webhooks`: 20,000 deliveries under 50 kills of whoever delivers, and two each of NATS and PostgreSQL. */
const start = performance.now();
const figures = await proveNoLoss(
  { scans: 1_000, endpoints: 20, delivers: 2, deliverKills: 50, engineKills: 2, settleMs: 180_000 },
  console.log,
);
const seconds = Math.round((performance.now() - start) / 1000);
const { lost, strange, unlogged, deliveries, kills, engineKills } = figures;
const line = Object.entries({ ...figures, seconds }).map(([name, value]) => `${name} ${value}`);
console.log(`webhooks ${line.join(' ')}`);
const isProven = lost + strange + unlogged === 0 && deliveries >= 20_000 && kills === 50 && engineKills === 4;
process.exit(isProven ? 0 : 1);
