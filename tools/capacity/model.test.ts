import { describe, expect, test } from 'vitest';
import { capacity, type Demand, type Measured } from './model.ts';

const measured: Measured = {
  redirect: { cpuMicrosPerScan: 60, responseBytes: 300 },
  log: { scansPerSecond: 10_000, bytesPerScan: 100, cores: 2 },
  ingest: { scansPerSecond: 6_000, cores: 2 },
  storage: { bytesPerCode: 400, bytesPerScan: 50 },
};
const demand: Demand = { scansPerSecond: 60_000, averageScansPerSecond: 1_200, codes: 1e9, regions: 1 };
const needs = (more: Partial<Demand> = {}) =>
  Object.fromEntries(capacity(measured, { ...demand, ...more }).map(({ part, amount }) => [part, amount]));

describe('the capacity that a demand asks for', () => {
  test('is reckoned from what was measured, with room to spare', () => {
    expect(needs()).toEqual({
      // 60,000 × 60 µs = 3.6 cores at 60 %.
      redirect: '6 cores (1 nodes)',
      // 60,000 ÷ (10,000 × 60 %) shards, on 2 cores in 3 copies; 1,200 × 7 days × 100 bytes × 3.
      'scan log': '10 shards, 60 cores (4 nodes), 218 GB',
      // 3 × 1,200 ÷ (6,000 × 60 %) × 2 cores.
      'ingest, PostgreSQL and ClickHouse': '2 cores (1 nodes)',
      'PostgreSQL disk': '800 GB',
      // 1,200 × 30 days × 50 bytes × 2.
      'ClickHouse disk, each month': '312 GB',
      'network at the peak': '0.864 Gbit/s',
      'cost, the first month': 'about $2,200',
    });
  });

  test('carries the loss of one region of several', () => {
    expect(needs({ regions: 3 }).redirect).toBe('9 cores (1 nodes)');
    expect(needs({ regions: 2 }).redirect).toBe('12 cores (1 nodes)');
  });

  test('grows with the demand and never falls under one of each', () => {
    expect(needs({ scansPerSecond: 600_000 }).redirect).toBe('60 cores (4 nodes)');
    expect(needs({ scansPerSecond: 1, averageScansPerSecond: 0.1, codes: 1 })).toMatchObject({
      redirect: '1 cores (1 nodes)',
      'scan log': '1 shards, 6 cores (1 nodes), 1 GB',
    });
  });
});
