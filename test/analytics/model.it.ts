import { ciScale } from '@signpost/testing/ci-scale.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyFilteredRequest, anyRequest, anyScans } from './arbitraries.ts';
import * as agreement from './comparisons.ts';
import { createDataset, type Dataset } from './dataset.ts';

const seed = 20_261_115;
/** Four kinds, each without filters and with: ANALYTICS_QUERIES=200 runs 1,000 of each, the default a third of it. */
const sets = {
  clickhouse: ciScale(5, 1),
  postgres: ciScale(5, 1),
  // An erasure stops midway in the fourth.
  'postgres with roll-ups': ciScale(5, 4),
};
const queries = process.env.ANALYTICS_QUERIES;
const requestsPerKind = Number(queries ?? ciScale(70, 12));
const filteredPerKind = Number(queries ?? ciScale(70, 6));

const { summaryAgrees, scansAgree, aggregateAgrees, weekHoursAgree } = agreement;
const comparisons = { summaryAgrees, scansAgree, aggregateAgrees, weekHoursAgree };

describe.each(['clickhouse', 'postgres', 'postgres with roll-ups'] as const)('scans in %s', store => {
  let dataset: Dataset;

  beforeAll(async () => {
    dataset = await createDataset({}, store);
  });
  afterAll(async () => {
    console.log(`${agreement.comparedAnswers()} answers of analytics equal the model`);
    await dataset.close();
  });

  describe.each(Array.from({ length: sets[store] }, (_, n) => n))(
    'set %i of scans: every figure equals a recomputation',
    n => {
      let set: agreement.StoredSet;
      beforeAll(async () => {
        const { key, codes } = await dataset.account(3);
        const [scans = []] = fc.sample(anyScans(codes), { seed: seed + n, numRuns: 1 });
        await dataset.add(scans);
        set = { dataset, scans, key, codes: codes.map(code => code.id), targets: codes[0]!.targets };
        if (n % 2 === 0) return;
        // In ClickHouse, parts with erased rows have no roll-ups: the rows themselves must give the same figures.
        const gone = set.codes[1]!;
        await (n % 4 === 3 ? dataset.beginErasing(gone, key) : dataset.erase(gone, key));
        set = {
          dataset,
          key,
          targets: codes[0]!.targets,
          scans: scans.filter(scan => scan.qrCodeId !== gone),
          codes: set.codes.filter(code => code !== gone),
        };
      });

      const check = (requests: typeof anyRequest, numRuns: number, agrees: typeof summaryAgrees) =>
        fc.assert(
          fc.asyncProperty(requests, request => agrees(set, request)),
          { seed: seed + n, numRuns, endOnFailure: true },
        );

      test.each(Object.entries(comparisons))('%s', { timeout: 300_000 }, async (_name, agrees) => {
        await check(anyRequest, requestsPerKind, agrees);
      });

      test.each(Object.entries(comparisons))(
        '%s with filters',
        { timeout: 300_000 },
        async (_name, agrees) => {
          await check(anyFilteredRequest, filteredPerKind, agrees);
        },
      );
    },
  );

  test.each(Object.entries(comparisons))('%s would find a difference of one scan', async (_name, agrees) => {
    const { key, codes } = await dataset.account(1);
    const [scans = []] = fc.sample(anyScans(codes), { seed, numRuns: 1 });
    await dataset.add(scans);
    const set = { dataset, key, scans, codes: codes.map(code => code.id), targets: codes[0]!.targets };
    const request = {
      start_date: '2023-12-01',
      end_date: '2024-12-31',
      timezone: 'UTC',
      interval: 'month',
    } as const;
    await agrees(set, request);
    await expect(agrees({ ...set, scans: scans.slice(1) }, request)).rejects.toThrow();
  });
});
