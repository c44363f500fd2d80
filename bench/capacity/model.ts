import { assumptions } from './assumptions.ts';

/** The part of docs/internals/measured.json, measured on one machine, that the model uses. */
export type Measured = {
  readonly redirect: { readonly scansPerSecond: number; readonly responseBytes: number };
  readonly tls: { readonly proxyMicrosPerNewConnection: number; readonly proxyMicrosPerKeptScan: number };
  readonly log: {
    readonly appendsPerSecond: number;
    readonly bytesPerLoneScan: number;
    readonly cores: number;
  };
  readonly ingest: { readonly scansPerSecond: number; readonly cores: number };
  readonly storage: {
    readonly bytesPerCode: number;
    readonly bytesPerVisitor: number;
    readonly bytesPerBatch: number;
    readonly bytesPerScan: number;
    readonly bytesPerAttempt: number;
  };
  readonly webhooks: { readonly cpuMicrosPerDelivery: number };
};

export type Demand = {
  /** At peak. */
  readonly scansPerSecond: number;
  /** Average over the month. */
  readonly averageScansPerSecond: number;
  readonly codes: number;
  readonly regions: number;
  /** Everything on one machine, one copy of each engine: if the machine is lost, only the backup remains. */
  readonly oneBox: boolean;
};

/** The resources for a demand: cores and bytes, including copies and the loss of a region. */
export type Need = {
  readonly proxyCores: number;
  readonly redirects: number;
  readonly shards: number;
  readonly logCores: number;
  readonly logBytes: number;
  /** The SCAN_LOG_MAX_MB for which a shard holds all scans of its retention. */
  readonly logMaxMb: number;
  readonly storeCores: number;
  readonly deliverCores: number;
  readonly codeBytes: number;
  readonly visitorBytes: number;
  readonly batchBytes: number;
  /** Growth per month. */
  readonly scanBytes: number;
  readonly attemptBytes: number;
  readonly gigabitsPerSecond: number;
};

const daySeconds = 24 * 3_600;
const monthSeconds = 30 * daySeconds;
/** The minimum of the setting. */
const leastLogMb = 64;
const { fill, newConnections, newVisitors, scansPerBatch, webhookShare } = assumptions;

export function needOf(measured: Measured, demand: Demand): Need {
  const { storage } = measured;
  const copies = copiesOf(demand);
  // All regions but one carry the whole load, since one may be lost.
  const spare = demand.regions > 1 ? demand.regions / (demand.regions - 1) : 1;
  const peak = demand.scansPerSecond * spare;
  const average = demand.averageScansPerSecond;
  const coresAt = (perSecond: number, micros: number) => (perSecond * micros) / 1e6 / fill.value;

  const { proxyMicrosPerNewConnection: fresh, proxyMicrosPerKeptScan: kept } = measured.tls;
  const proxyMicros = newConnections.value * fresh + (1 - newConnections.value) * kept;
  const shards = peak / scansPerBatch.value / (measured.log.appendsPerSecond * fill.value);
  const shardCount = Math.max(1, Math.ceil(shards));
  const counted = average * assumptions.catchUp.value;
  // The bench runs the worker, PostgreSQL and ClickHouse together on its cores; a copy is a machine of the same size.
  const storeCores = (counted / (measured.ingest.scansPerSecond * fill.value)) * measured.ingest.cores;
  const perDay = average * daySeconds;
  const logBytes = perDay * assumptions.logDays.value * measured.log.bytesPerLoneScan;
  const postgres = (rows: number, bytes: number) => rows * bytes * copies.postgres;
  const clickhouse = (rows: number, bytes: number) => rows * bytes * copies.clickhouse;
  return {
    proxyCores: coresAt(peak, proxyMicros),
    redirects: Math.max(
      demand.oneBox ? 1 : 2,
      Math.ceil(peak / (measured.redirect.scansPerSecond * fill.value)),
    ),
    shards: shardCount,
    logCores: shards * measured.log.cores * copies.log,
    logBytes: logBytes * copies.log,
    logMaxMb: Math.max(leastLogMb, Math.ceil(logBytes / shardCount / 2 ** 20)),
    storeCores: storeCores * copies.postgres,
    deliverCores: coresAt(counted * webhookShare.value, measured.webhooks.cpuMicrosPerDelivery),
    codeBytes: postgres(demand.codes, storage.bytesPerCode),
    visitorBytes: postgres(
      perDay * assumptions.visitorDays.value * newVisitors.value,
      storage.bytesPerVisitor,
    ),
    batchBytes: postgres((perDay * assumptions.batchDays.value) / scansPerBatch.value, storage.bytesPerBatch),
    scanBytes: clickhouse(average * monthSeconds, storage.bytesPerScan),
    attemptBytes: postgres(
      perDay * assumptions.attemptDays.value * webhookShare.value,
      storage.bytesPerAttempt,
    ),
    gigabitsPerSecond:
      (demand.scansPerSecond * (measured.redirect.responseBytes + assumptions.wireBytes.value) * 8) / 1e9,
  };
}

export const copiesOf = ({ oneBox }: Demand) => ({
  log: oneBox ? 1 : assumptions.logCopies.value,
  postgres: oneBox ? 1 : assumptions.postgresCopies.value,
  clickhouse: oneBox ? 1 : assumptions.clickhouseCopies.value,
});

/** The number of redirect processes up to which edits stay cheap: 12 ms of the API's CPU each at 400, over 110 at 1,000. */
const mostRedirects = 400;

/** Why today's code cannot serve a demand on any hardware. Empty if it can. */
export function plansIn(measured: Measured, demand: Demand): readonly string[] {
  const { redirects } = needOf(measured, demand);
  const counted = demand.averageScansPerSecond * assumptions.catchUp.value;
  const oneWorker = measured.ingest.scansPerSecond * fill.value;
  return [
    ...(demand.regions > 1 ? ['several regions'] : []),
    ...(counted > oneWorker ? ['more scans to count than one PostgreSQL was seen to take'] : []),
    ...(redirects > mostRedirects ? ['so many redirect processes that edits become slow'] : []),
  ];
}
