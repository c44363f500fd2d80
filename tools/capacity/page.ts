import { capacity, type Demand, type Measured } from './model.ts';

/** Demands that people have: a shop, a city, a television advertisement in three regions. */
const examples: readonly (readonly [title: string, demand: Demand])[] = [
  ['One box', { scansPerSecond: 100, averageScansPerSecond: 5, codes: 100_000, regions: 1 }],
  ['A busy country', { scansPerSecond: 20_000, averageScansPerSecond: 2_000, codes: 50_000_000, regions: 2 }],
  [
    'The largest',
    { scansPerSecond: 1_000_000, averageScansPerSecond: 50_000, codes: 10_000_000_000, regions: 3 },
  ],
];

/** docs/capacity.md: the examples, reckoned with what was measured. */
export function capacityPage(measured: Measured): string {
  const whole = (value: number) => value.toLocaleString('en');
  const sections = examples.map(([title, demand]) =>
    [
      `## ${title}`,
      '',
      `${whole(demand.scansPerSecond)} scans a second at the peak, ${whole(demand.averageScansPerSecond)} on average, ` +
        `${whole(demand.codes)} codes, ${demand.regions} region${demand.regions > 1 ? 's, one of which may fail' : ''}.`,
      '',
      '| Part | Needs | Because |',
      '|---|---|---|',
      ...capacity(measured, demand).map(
        ({ part, amount, because }) => `| ${part} | ${amount} | ${because} |`,
      ),
      '',
    ].join('\n'),
  );
  return [
    '# Capacity',
    '',
    'Made by `npm run generate` from [measured.json](measured.json), which the benches write, and the assumptions in',
    '`tools/capacity/model.ts`. [scaling.md](scaling.md) says what the parts are and what gives way first. For a demand of',
    'your own: `npm run capacity -- --scans-per-second 5000 --average 300 --codes 1000000 --regions 1`.',
    '',
    ...sections,
  ].join('\n');
}
