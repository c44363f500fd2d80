import { assumptions } from './assumptions.ts';
import { copiesOf, type Demand, type Measured, needOf } from './model.ts';

export type Line = { readonly part: string; readonly amount: string; readonly because: string };

/** The resources for a demand, each with its reason. */
export function capacity(measured: Measured, demand: Demand): readonly Line[] {
  const need = needOf(measured, demand);
  const { storage, log, ingest, redirect, tls, webhooks } = measured;
  const copies = copiesOf(demand);
  const cores = need.proxyCores + need.redirects + need.logCores + need.storeCores + need.deliverCores;
  const disk =
    need.logBytes + need.codeBytes + need.visitorBytes + need.batchBytes + need.scanBytes + need.attemptBytes;
  const { coreDollars, terabyteDollars, catchUp, visitorDays, batchDays, logDays } = assumptions;
  const dollars = cores * coreDollars.value + (disk / 1e12) * terabyteDollars.value;
  const rows: readonly (readonly [part: string, amount: string, because: string])[] = [
    [
      'TLS, in nginx',
      coresOf(need.proxyCores),
      `${tls.proxyMicrosPerNewConnection} µs of CPU a new connection`,
    ],
    [
      'redirect',
      counted(need.redirects, 'process', 'processes'),
      `a core each; one was seen to answer ${whole(redirect.scansPerSecond)} scans/s`,
    ],
    [
      'scan log',
      `${counted(need.shards, 'shard', 'shards')}, ${coresOf(need.logCores)}`,
      `${whole(log.appendsPerSecond)} appends/s on ${log.cores} cores, ${copied(copies.log)}`,
    ],
    [
      'scan log, disk',
      sized(need.logBytes),
      `${log.bytesPerLoneScan} bytes a scan, ${logDays.value} days, ${copied(copies.log)}`,
    ],
    [
      'scan log, `SCAN_LOG_MAX_MB`',
      `${whole(need.logMaxMb)} or more`,
      `so that ingest may be away for ${logDays.value} days: one copy of a shard; the default is 8,192`,
    ],
    [
      'ingest, PostgreSQL and ClickHouse',
      coresOf(need.storeCores),
      `${whole(ingest.scansPerSecond)} scans/s on ${ingest.cores} cores with both stores; ${catchUp.value} times the average, ${copied(copies.postgres)}`,
    ],
    [
      'deliver',
      coresOf(need.deliverCores),
      `${webhooks.cpuMicrosPerDelivery} µs of CPU a webhook; ${catchUp.value} times the average`,
    ],
    [
      'PostgreSQL disk, codes',
      sized(need.codeBytes),
      `${storage.bytesPerCode} bytes a code, ${copied(copies.postgres)}`,
    ],
    [
      'PostgreSQL disk, visitors',
      sized(need.visitorBytes),
      `${storage.bytesPerVisitor} bytes a new visitor, ${visitorDays.value} days, ${copied(copies.postgres)}`,
    ],
    [
      'PostgreSQL disk, batches',
      sized(need.batchBytes),
      `${storage.bytesPerBatch} bytes a batch, ${batchDays.value} days, ${copied(copies.postgres)}`,
    ],
    [
      'PostgreSQL disk, log of webhooks',
      sized(need.attemptBytes),
      `${storage.bytesPerAttempt} bytes a try, ${assumptions.attemptDays.value} days, ${copied(copies.postgres)}`,
    ],
    [
      'ClickHouse disk, scans',
      `${sized(need.scanBytes)} more each month`,
      `${storage.bytesPerScan} bytes a scan, ${copied(copies.clickhouse)}`,
    ],
    [
      'network at the peak',
      `${need.gigabitsPerSecond.toFixed(need.gigabitsPerSecond < 10 ? 3 : 0)} Gbit/s`,
      `${redirect.responseBytes} bytes an answer, and ${whole(assumptions.wireBytes.value)} around it`,
    ],
    ['in all, the first month', `${coresOf(cores)}, ${sized(disk)} on disk`, 'the sum of the above'],
    [
      'cost, the first month',
      `about $${whole(Number(dollars.toPrecision(2)))}`,
      `$${coreDollars.value} a core, $${terabyteDollars.value} a terabyte`,
    ],
  ];
  return rows.map(([part, amount, because]) => ({ part, amount, because }));
}

const whole = (value: number) => Math.ceil(value).toLocaleString('en');
const counted = (value: number, one: string, many: string) => `${whole(value)} ${value === 1 ? one : many}`;
const copied = (copies: number) => counted(copies, 'copy', 'copies');

/** Rounded up, to a tenth where that matters. */
const coresOf = (cores: number) =>
  cores < 10 ? `${(Math.ceil(cores * 10 - 1e-9) / 10).toFixed(1)} cores` : `${whole(cores)} cores`;

const sized = (bytes: number) =>
  bytes < 1e12 ? `${whole(bytes / 1e9)} GB` : `${(bytes / 1e12).toFixed(1)} TB`;
