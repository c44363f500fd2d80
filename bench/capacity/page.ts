import { assumptions } from './assumptions.ts';
import { capacity } from './lines.ts';
import { type Demand, type Measured, plansIn } from './model.ts';

/** Example demands: a shop, a country, and one beyond what is built. */
const examples: readonly (readonly [title: string, demand: Demand])[] = [
  ['One box', { scansPerSecond: 100, averageScansPerSecond: 5, codes: 100_000, regions: 1, oneBox: true }],
  [
    'A busy country',
    { scansPerSecond: 20_000, averageScansPerSecond: 2_000, codes: 50_000_000, regions: 1, oneBox: false },
  ],
  [
    'The largest',
    {
      scansPerSecond: 1_000_000,
      averageScansPerSecond: 50_000,
      codes: 10_000_000_000,
      regions: 3,
      oneBox: false,
    },
  ],
];

/** docs/self-hosting/capacity.md: the examples, calculated from the measurements. */
export function capacityPage(measured: Measured): string {
  return [
    '# Capacity',
    '',
    'Made by `npm run generate` from [measured.json](../internals/measured.json), which the benches write, and from the assumptions',
    '[below](#assumptions). [scaling.md](scaling.md) says which of this was shown and which is a plan. For a demand of',
    'your own: `npm run capacity -- --scans-per-second 5000 --average 300 --codes 1000000`, and `--one-box` where all of it',
    'runs on one machine.',
    '',
    'Left out: the API, the dashboard and Valkey, which grow with owners and not with scans; the write-ahead log of',
    'PostgreSQL; free space on the disks; backups.',
    '',
    ...examples.map(([title, demand]) => section(measured, title, demand)),
    '## Assumptions',
    '',
    'Chosen, not measured; the days are those for which the code keeps things. They are in',
    '`bench/capacity/assumptions.ts`: change them there.',
    '',
    '| Value | Assumed |',
    '|---|---|',
    ...Object.values(assumptions).map(({ value, says }) => `| ${Number(value.toFixed(2))} | ${says} |`),
    '',
  ].join('\n');
}

function section(measured: Measured, title: string, demand: Demand): string {
  const plans = plansIn(measured, demand);
  return [
    `## ${title}`,
    '',
    `${whole(demand.scansPerSecond)} scans a second at the peak, ${whole(demand.averageScansPerSecond)} on average, ` +
      `${whole(demand.codes)} codes, ${demand.oneBox ? 'one machine' : regions(demand)}. ${status(demand, plans)}`,
    '',
    '| Part | Needs | Because |',
    '|---|---|---|',
    ...capacity(measured, demand).map(({ part, amount, because }) => `| ${part} | ${amount} | ${because} |`),
    '',
  ].join('\n');
}

function status({ oneBox }: Demand, plans: readonly string[]): string {
  if (plans.length > 0) return `**Plan**, not built: ${plans.join('; ')}.`;
  return oneBox
    ? '**Built and run** at more than this rate, without TLS (`npm run chaos`).'
    : '**Built**, but never run at this size: the figures are calculated.';
}

const regions = ({ regions }: Demand) =>
  regions > 1 ? `${regions} regions, one of which may fail` : 'one region';
const whole = (value: number) => value.toLocaleString('en');
