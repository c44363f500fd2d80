import { describe, expect, test } from 'vitest';
import { capacity } from './lines.ts';
import { type Demand, type Measured, needOf, plansIn } from './model.ts';

const measured: Measured = {
  redirect: { scansPerSecond: 10_000, responseBytes: 200 },
  tls: { proxyMicrosPerNewConnection: 500, proxyMicrosPerKeptScan: 50 },
  log: { appendsPerSecond: 20_000, bytesPerLoneScan: 150, cores: 2 },
  ingest: { scansPerSecond: 6_000, cores: 2 },
  storage: {
    bytesPerCode: 400,
    bytesPerVisitor: 300,
    bytesPerBatch: 100,
    bytesPerScan: 50,
    bytesPerAttempt: 80,
  },
  webhooks: { cpuMicrosPerDelivery: 400 },
};
const demand: Demand = {
  scansPerSecond: 60_000,
  averageScansPerSecond: 1_200,
  codes: 1_000_000_000,
  regions: 1,
  oneBox: false,
};
const need = (more: Partial<Demand> = {}) => needOf(measured, { ...demand, ...more });
const lines = (more: Partial<Demand> = {}) =>
  Object.fromEntries(capacity(measured, { ...demand, ...more }).map(({ part, amount }) => [part, amount]));

/** Calculated by hand: 1,200 scans a second are 103,680,000 a day and 3,110,400,000 in 30 days. */
describe('what a demand needs', () => {
  test('in cores follows from what was measured, with headroom', () => {
    const { proxyCores, redirects, shards, logCores, storeCores, deliverCores } = need();
    // 60,000 handshakes of 500 µs are 30 cores, at 60 %.
    expect(proxyCores).toBeCloseTo(50);
    // 60,000 ÷ 6,000.
    expect(redirects).toBe(10);
    // 60,000 ÷ 12,000 shards, each on 2 cores in 3 copies.
    expect(shards).toBe(5);
    expect(logCores).toBeCloseTo(30);
    // 3,600 a second is 60 % of what 2 cores carry; and a standby.
    expect(storeCores).toBeCloseTo(4);
    // 360 webhooks a second of 400 µs are 0.144 cores, at 60 %.
    expect(deliverCores).toBeCloseTo(0.24);
  });

  test('on disk includes visitors and batches, in every copy', () => {
    const { logBytes, logMaxMb, codeBytes, visitorBytes, batchBytes, scanBytes, attemptBytes } = need();
    expect(logBytes).toBeCloseTo(326_592_000_000, -3); // 725,760,000 scans of 7 days × 150 × 3
    expect(logMaxMb).toBe(20_765); // a fifth of 108,864,000,000, in MiB
    expect(codeBytes).toBe(800_000_000_000); // 10⁹ × 400 × 2
    expect(visitorBytes).toBeCloseTo(1_617_408_000_000, -3); // 2,695,680,000 visitors of 39 days × 300 × 2
    expect(batchBytes).toBeCloseTo(165_888_000_000, -3); // 829,440,000 batches of 8 days × 100 × 2
    expect(scanBytes).toBeCloseTo(311_040_000_000, -3); // 3,110,400,000 scans of 30 days × 50 × 2
    expect(attemptBytes).toBeCloseTo(49_766_400_000, -3); // a tenth of them × 80 × 2
  });

  test('on one machine is one copy of everything', () => {
    expect(need({ oneBox: true })).toMatchObject({
      logCores: expect.closeTo(10),
      storeCores: expect.closeTo(2),
      logBytes: expect.closeTo(108_864_000_000, -3),
      codeBytes: 400_000_000_000,
      visitorBytes: expect.closeTo(808_704_000_000, -3),
      batchBytes: expect.closeTo(82_944_000_000, -3),
      scanBytes: expect.closeTo(155_520_000_000, -3),
      attemptBytes: expect.closeTo(24_883_200_000, -3),
    });
  });

  test('covers the loss of one region', () => {
    expect(need({ regions: 3 })).toMatchObject({ proxyCores: expect.closeTo(75), redirects: 15, shards: 8 });
    expect(need({ regions: 2 })).toMatchObject({
      proxyCores: expect.closeTo(100),
      redirects: 20,
      shards: 10,
    });
  });

  test('is at least one of each, and two redirects where one may fail', () => {
    const little = { scansPerSecond: 1, averageScansPerSecond: 0.1, codes: 1 };
    expect(need(little)).toMatchObject({ redirects: 2, shards: 1 });
    expect(need({ ...little, oneBox: true })).toMatchObject({ redirects: 1, shards: 1 });
  });

  test('is printed rounded up, with its total and its price', () => {
    expect(lines()).toEqual({
      'TLS, in nginx': '50 cores',
      redirect: '10 processes',
      'scan log': '5 shards, 30 cores',
      'scan log, disk': '327 GB',
      'scan log, `SCAN_LOG_MAX_MB`': '20,765 or more',
      'ingest, PostgreSQL and ClickHouse': '4.0 cores',
      deliver: '0.3 cores',
      'PostgreSQL disk, codes': '800 GB',
      'PostgreSQL disk, visitors': '1.6 TB',
      'PostgreSQL disk, batches': '166 GB',
      'PostgreSQL disk, log of webhooks': '50 GB',
      'ClickHouse disk, scans': '312 GB more each month',
      // 60,000 × 5,200 bytes × 8.
      'network at the peak': '2.496 Gbit/s',
      // 50 + 10 + 30 + 4 + 0.24 cores; 0.326592 + 0.8 + 1.617408 + 0.165888 + 0.31104 + 0.0497664 TB.
      'in all, the first month': '95 cores, 3.3 TB on disk',
      // 94.24 × 30 + 3.27 × 100 = 3,154.
      'cost, the first month': 'about $3,200',
    });
  });
});

describe('a demand is called a plan', () => {
  const plans = (more: Partial<Demand> = {}) => plansIn(measured, { ...demand, ...more });

  test('only where it exceeds what a test or bench has shown', () => {
    expect(plans()).toEqual([]);
    expect(plans({ regions: 2 })).toEqual(['several regions']);
    expect(plans({ averageScansPerSecond: 1_201 })).toEqual([
      'more scans to count than one PostgreSQL was seen to take',
    ]);
    expect(plans({ scansPerSecond: 2_400_001 })).toEqual([
      'so many redirect processes that edits become slow',
    ]);
  });
});
