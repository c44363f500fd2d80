import { parseArgs } from 'node:util';
import { measureAsk, measureCpu } from './domains/processes.ts';
import { measureLookup, measureMap } from './domains/within.ts';
import { median } from './median.ts';

const aim = { lookupNs: 300, askMs: 1, cpuRatio: 1.08 };

/**
 * 50,000 domains (`--domains N`): what they take in memory and in the snapshot, how long the host of a request takes to look up
 * beside an empty loop, `/tls-ask` beside `/healthz`, and what a scan on the host of the service costs beside a redirect that has no domains:
 * the same without any, or that of another checkout (`--against DIR`).
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      domains: { type: 'string', default: '50000' },
      rounds: { type: 'string', default: '10' },
      against: { type: 'string' },
    },
  });
  const count = Number(values.domains);
  const map = await measureMap(count);
  const lookup = measureLookup(count);
  const asked = await measureAsk(count);
  const ratios = await measureCpu({ count, rounds: Number(values.rounds), against: values.against });
  const cpuRatio = median(ratios);
  const sorted = ratios.toSorted((a, b) => a - b);
  const quartiles = [sorted[sorted.length >> 2]!, sorted[(3 * sorted.length) >> 2]!];
  console.log(
    [
      `domains count ${count} bytes_each ${map.bytesEach.toFixed(0)} snapshot_mb ${map.snapshotMb.toFixed(1)}`,
      `write_ms ${map.writeMs.toFixed(0)} load_ms ${map.loadMs.toFixed(0)}`,
      `lookup_ns own ${lookup.ownNs.toFixed(0)} busy ${lookup.busyNs.toFixed(0)} any ${lookup.anyNs.toFixed(0)} ask_p99_ms ${asked.p99Ms.toFixed(2)} healthz_p99_ms ${asked.bareP99Ms.toFixed(2)}`,
      `cpu_ratio ${cpuRatio.toFixed(3)} (quartiles ${quartiles.map(one => one.toFixed(3)).join(', ')}, rounds ${ratios.length})`,
    ].join(' '),
  );
  const isShort =
    Math.max(lookup.ownNs, lookup.busyNs) > aim.lookupNs ||
    asked.p99Ms - asked.bareP99Ms > aim.askMs ||
    cpuRatio > aim.cpuRatio;
  if (isShort) process.exitCode = 1;
}
