/** What the benches measured on one machine (docs/measured.json). */
export type Measured = {
  readonly redirect: { readonly cpuMicrosPerScan: number; readonly responseBytes: number };
  readonly log: { readonly scansPerSecond: number; readonly bytesPerScan: number; readonly cores: number };
  readonly ingest: { readonly scansPerSecond: number; readonly cores: number };
  readonly storage: { readonly bytesPerCode: number; readonly bytesPerScan: number };
};

export type Demand = {
  /** At the highest moment. */
  readonly scansPerSecond: number;
  /** Over the month. */
  readonly averageScansPerSecond: number;
  readonly codes: number;
  readonly regions: number;
};

/** What nobody measured: chosen with care, shown with the result, and changed here. */
export const assumptions = {
  /** The share of a core or disk that is planned with; the rest is for bursts and for what fails. */
  fill: 0.6,
  nodeCores: 16,
  /** What reads of the codes that are not in memory, and the packets of TCP and TLS, add to a request. */
  wireBytes: 1500,
  logDays: 7,
  logCopies: 3,
  clickhouseCopies: 2,
  postgresCopies: 2,
  /** How much quicker than the average ingest must be, to work off what a peak has left. */
  catchUp: 3,
  /** US dollars a month: a core with 4 GB, and a terabyte of fast disk. Round list prices of 2026; look up yours. */
  coreDollars: 30,
  terabyteDollars: 100,
} as const;

export type Line = { readonly part: string; readonly amount: string; readonly because: string };

const month = 30 * 24 * 3600;
const count = (value: number) => Math.ceil(value).toLocaleString('en');
const terabytes = (bytes: number) => bytes / 1e12;
const sized = (bytes: number) =>
  terabytes(bytes) < 1 ? `${count(bytes / 1e9)} GB` : `${terabytes(bytes).toFixed(1)} TB`;

/** The nodes, shards, bytes and dollars that a demand asks for, each with how it was reckoned. */
export function capacity(measured: Measured, demand: Demand): readonly Line[] {
  const { fill, nodeCores, regions } = { ...assumptions, ...demand };
  // Every region but one carries everything: one may be lost.
  const spare = regions > 1 ? regions / (regions - 1) : 1;
  const nodes = (cores: number) => Math.max(1, Math.ceil(cores / nodeCores));

  const redirectCores = ((demand.scansPerSecond * measured.redirect.cpuMicrosPerScan) / 1e6 / fill) * spare;
  const shards = Math.max(
    1,
    Math.ceil((demand.scansPerSecond * spare) / (measured.log.scansPerSecond * fill)),
  );
  const logCores = shards * measured.log.cores * assumptions.logCopies;
  const ingestRate = demand.averageScansPerSecond * assumptions.catchUp;
  // The bench runs the worker, PostgreSQL and ClickHouse together on its cores; so do these.
  const ingestCores = (ingestRate / (measured.ingest.scansPerSecond * fill)) * measured.ingest.cores;
  const scansAMonth = demand.averageScansPerSecond * month;
  const clickhouseBytes = scansAMonth * measured.storage.bytesPerScan * assumptions.clickhouseCopies;
  const postgresBytes = demand.codes * measured.storage.bytesPerCode * assumptions.postgresCopies;
  const logBytes =
    demand.averageScansPerSecond *
    assumptions.logDays *
    24 *
    3600 *
    measured.log.bytesPerScan *
    assumptions.logCopies;
  const gigabits =
    (demand.scansPerSecond * (measured.redirect.responseBytes + assumptions.wireBytes) * 8) / 1e9;
  const cores = redirectCores + logCores + ingestCores;
  const disk = terabytes(logBytes + postgresBytes + clickhouseBytes);
  const dollars = cores * assumptions.coreDollars + disk * assumptions.terabyteDollars;

  return [
    line(
      'redirect',
      `${count(redirectCores)} cores (${nodes(redirectCores)} nodes)`,
      `${measured.redirect.cpuMicrosPerScan} µs of CPU a scan, one process a core`,
    ),
    line(
      'scan log',
      `${count(shards)} shards, ${count(logCores)} cores (${nodes(logCores)} nodes), ${sized(logBytes)}`,
      `${count(measured.log.scansPerSecond)} scans/s a shard on ${measured.log.cores} cores, ${assumptions.logCopies} copies, ${assumptions.logDays} days`,
    ),
    line(
      'ingest, PostgreSQL and ClickHouse',
      `${count(ingestCores)} cores (${nodes(ingestCores)} nodes)`,
      `${count(measured.ingest.scansPerSecond)} scans/s on ${measured.ingest.cores} cores with both stores; ${assumptions.catchUp} times the average`,
    ),
    line(
      'PostgreSQL disk',
      sized(postgresBytes),
      `${measured.storage.bytesPerCode} bytes a code, ${assumptions.postgresCopies} copies`,
    ),
    line(
      'ClickHouse disk, each month',
      sized(clickhouseBytes),
      `${measured.storage.bytesPerScan} bytes a scan, ${assumptions.clickhouseCopies} copies`,
    ),
    line(
      'network at the peak',
      `${gigabits.toFixed(gigabits < 1 ? 3 : 0)} Gbit/s`,
      `${measured.redirect.responseBytes} bytes an answer, and ${assumptions.wireBytes} around it`,
    ),
    line(
      'cost, the first month',
      `about $${count(Number(dollars.toPrecision(2)))}`,
      `$${assumptions.coreDollars} a core, $${assumptions.terabyteDollars} a terabyte`,
    ),
  ];
}

const line = (part: string, amount: string, because: string): Line => ({ part, amount, because });
