import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

const file = new URL('../docs/internals/measured.json', import.meta.url);

/**
 * With `--record`, keeps the figures of a bench in docs/internals/measured.json, from which `npm run capacity` and docs/self-hosting/capacity.md
 * calculate. Run it on a quiet machine.
 */
export function record(
  args: readonly string[],
  bench: string,
  figures: Readonly<Record<string, number>>,
): void {
  if (!args.includes('--record')) return;
  const all = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const rounded = Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(3))]),
  );
  const machine = {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    node: process.version,
  };
  all[bench] = { ...rounded, on: new Date().toISOString().slice(0, 10), ...machine };
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  console.log(
    `docs/internals/measured.json has the figures of ${bench}; npm run generate renews the pages made from it`,
  );
}
