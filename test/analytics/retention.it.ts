import { ciScale } from '@signpost/testing/ci-scale.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reconcile } from '../../apps/server/src/backup/reconcile.ts';
import { removeOldMonths } from '../../apps/server/src/ingest/retention.ts';
import { sql } from '../../apps/server/src/platform/postgres/postgres.ts';
import type { Scan } from '../../apps/server/src/scans/scan.ts';
import { toMonth } from '../../apps/server/src/scans/stores/month.ts';
import { toWindowName } from '../../apps/server/src/scans/visitor.ts';
import { anyFilteredRequest, anyMonths, anyRequest, anyScans } from './arbitraries.ts';
import * as agreement from './comparisons.ts';
import { createDataset, type Dataset } from './dataset.ts';

const seed = 20_261_119;
const requests = Number(process.env.ANALYTICS_QUERIES ?? ciScale(8, 4));
const { summaryAgrees, scansAgree, aggregateAgrees, weekHoursAgree } = agreement;
const comparisons = { summaryAgrees, scansAgree, aggregateAgrees, weekHoursAgree };

const retainedMs = Date.UTC(2024, 6);

/** The setting that keeps scans from that month on, today. */
function monthsSince(atMs: number): number {
  const [now, then] = [new Date(), new Date(atMs)];
  return 12 * (now.getUTCFullYear() - then.getUTCFullYear()) + now.getUTCMonth() - then.getUTCMonth();
}

describe.each(['clickhouse', 'postgres with roll-ups'] as const)(
  'scans in %s, months of which were removed',
  store => {
    let dataset: Dataset;
    let sets: agreement.StoredSet[];
    const { signal } = new AbortController();
    const remove = () =>
      removeOldMonths(
        { db: dataset.api.api.db, months: dataset.months, retentionMonths: monthsSince(retainedMs) },
        signal,
      );

    beforeAll(async () => {
      dataset = await createDataset({}, store);
      sets = [];
      for (let n = 0; n < 3; n++) {
        const { key, codes } = await dataset.account(3);
        const [sample = []] = fc.sample(anyScans(codes), { seed: seed + n, numRuns: 1 });
        // One account has a window per day.
        const kind = n === 1 ? 'day' : 'month';
        const scans = sample.map(scan => ({ ...scan, window: toWindowName(scan.atMs, kind) }));
        await dataset.add(scans);
        const targets = codes[0]!.targets;
        sets.push({ dataset, scans, key, codes: codes.map(code => code.id), targets });
      }
      const without = (set: agreement.StoredSet, gone: string) => ({
        ...set,
        scans: set.scans.filter(scan => scan.qrCodeId !== gone),
        codes: set.codes.filter(code => code !== gone),
      });
      // One code is erased before the sums are made, one after.
      await dataset.erase(sets[1]!.codes[1]!, sets[1]!.key);
      const stored = sets.flatMap(({ scans }) => scans);
      sets[1] = without(sets[1]!, sets[1]!.codes[1]!);
      const expected = [...new Set(stored.map(scan => toMonth(scan.atMs)))].sort();
      const { removed } = await remove();
      expect(removed).toEqual(expected.filter(month => month < toMonth(retainedMs)));
      expect(await dataset.months.listMonths()).toEqual(
        expected.filter(month => month >= toMonth(retainedMs)),
      );
      expect(await remove()).toMatchObject({ removed: [], waiting: [] });
      await dataset.erase(sets[2]!.codes[1]!, sets[2]!.key);
      sets[2] = without(sets[2]!, sets[2]!.codes[1]!);
      const fromMs = Date.parse(`${expected[0]}-01T00:00:00Z`);
      sets = sets.map(set => ({ ...set, removed: { fromMs, retainedMs } }));
    });
    afterAll(async () => {
      console.log(`${agreement.comparedAnswers()} answers of analytics equal the model`);
      await dataset.close();
    });

    describe.each([0, 1, 2])('set %i', n => {
      test.each(
        Object.entries(comparisons).flatMap(([name, agrees]) =>
          Object.entries({ anyMonths, anyRequest, anyFilteredRequest }).map(
            ([kind, arbitrary]) => [name, kind, agrees, arbitrary] as const,
          ),
        ),
      )('%s for %s', { timeout: 300_000 }, async (_name, _kind, agrees, arbitrary) => {
        await fc.assert(
          fc.asyncProperty(arbitrary, request => agrees(sets[n]!, request)),
          { seed: seed + n, numRuns: requests, endOnFailure: true },
        );
      });
    });

    test('a difference of one scan in a removed month would be found', async () => {
      const set = sets[0]!;
      const isRemoved = (scan: Scan) => scan.atMs < retainedMs && scan.qrCodeId === set.codes[0];
      const request = {
        start_date: '2023-12-01',
        end_date: '2024-12-31',
        timezone: 'UTC',
        interval: 'month',
      } as const;
      await summaryAgrees(set, request);
      const gone = set.scans.find(isRemoved)!;
      const less = { ...set, scans: set.scans.filter(scan => scan !== gone) };
      await expect(summaryAgrees(less, request)).rejects.toThrow();
      await expect(aggregateAgrees(less, request)).rejects.toThrow();
    });

    test('a restore finds the totals as they are', async () => {
      if (store === 'clickhouse') expect(await reconcile(dataset.api.api.db, dataset.clickhouse)).toBe(0);
    });

    test('nothing is left of the account when its last code is erased', async () => {
      const set = sets[0]!;
      for (const code of set.codes) await dataset.erase(code, set.key);
      const left = await dataset.api.api.db.query(countSums, [set.scans[0]!.accountId]);
      expect(left).toEqual([]);
    });
  },
);

const countSums = sql('test-account-sums', 'select kind, value from scan_sums where account_id = $1');
