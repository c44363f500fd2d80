import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { assumptions } from './capacity/assumptions.ts';
import { capacity } from './capacity/lines.ts';
import { type Measured, plansIn } from './capacity/model.ts';

export const readMeasured = () =>
  JSON.parse(readFileSync(new URL('../docs/internals/measured.json', import.meta.url), 'utf8')) as Measured;

/** `npm run capacity -- --scans-per-second 5000 …`: the resources for a demand, from what the benches measured. */
if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      'scans-per-second': { type: 'string', default: '100' },
      average: { type: 'string' },
      codes: { type: 'string', default: '1000000' },
      regions: { type: 'string', default: '1' },
      'one-box': { type: 'boolean', default: false },
    },
  });
  const number = (name: string, text: string) => {
    const value = Number(text);
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not ${text}`);
    return value;
  };
  const scansPerSecond = number('scans-per-second', values['scans-per-second']);
  const demand = {
    scansPerSecond,
    averageScansPerSecond: values.average ? number('average', values.average) : scansPerSecond / 10,
    codes: number('codes', values.codes),
    regions: number('regions', values.regions),
    oneBox: values['one-box'],
  };
  const measured = readMeasured();
  const plans = plansIn(measured, demand);
  if (plans.length > 0) console.log(`Not built, a plan on paper: ${plans.join('; ')}\n`);
  for (const { part, amount, because } of capacity(measured, demand)) {
    console.log(`${part.replaceAll('`', '').padEnd(36)}${amount.padEnd(34)}${because}`);
  }
  console.log('\nAssumed:');
  for (const { value, says } of Object.values(assumptions)) {
    console.log(`${Number(value.toFixed(2)).toString().padStart(8)}  ${says.replaceAll('`', '')}`);
  }
}
