import { generateScans } from '@signpost/testing/scan-generator.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDataset, type Dataset } from './dataset.ts';

const scans = 2_000_000;
const [fromMs, days] = [Date.UTC(2026, 8, 1), 30];

let dataset: Dataset;
beforeAll(async () => {
  dataset = await createDataset();
});
afterAll(() => dataset.close());

describe('a code with more than a million visitors', () => {
  test('has as many as a plain set of them, in total and on every day of a zone that is off by half an hour', async () => {
    const { key, codes } = await dataset.account(1);
    const { id, accountId, wireId } = codes[0]!;
    await generateScans(dataset.clickhouse, [
      {
        scans,
        account: `toUUID('${accountId}')`,
        code: `toUUID('${id}')`,
        visitors: 1_500_000,
        fromMs,
        days,
      },
    ]);
    const period = 'start_date=2026-09-01&end_date=2026-09-30&timezone=Asia/Kolkata';
    const get = async (path: string) =>
      (await dataset.api.call({ url: `/v1/qrcodes/${wireId}/analytics${path}?${period}`, key })).body;
    const [summary, series, expected] = [await get(''), await get('/timeseries'), await recount()];
    const { scans: total_scans, visitors: unique_visitors, byDay } = expected;
    expect(unique_visitors).toBeGreaterThan(1_000_000);
    expect(summary.summary).toMatchObject({ total_scans, unique_visitors });
    expect(series.data.map(dayOf)).toEqual(byDay);
  });
});

const dayOf = ({ date, unique_visitors }: { date: string; unique_visitors: number }) => [
  date.slice(0, 10),
  unique_visitors,
];

const [dayMs, offsetMs] = [86_400_000, 5.5 * 3_600_000];

/** The visitors of September in Kolkata, computed from every single row without roll-ups. */
async function recount() {
  const all = new Set<string>();
  const byDay: [day: string, visitors: number][] = [];
  let counted = 0;
  for (let day = 0; day < days; day++) {
    const startMs = fromMs + day * dayMs - offsetMs;
    const rows = await dataset.clickhouse.query<{ visitor: string }>(
      `select visitor from scans
        where toUnixTimestamp64Milli(at) >= ${startMs} and toUnixTimestamp64Milli(at) < ${startMs + dayMs}`,
    );
    const visitors = new Set(rows.map(({ visitor }) => visitor));
    byDay.push([new Date(startMs + offsetMs).toISOString().slice(0, 10), visitors.size]);
    for (const visitor of visitors) all.add(visitor);
    counted += rows.length;
  }
  return { scans: counted, visitors: all.size, byDay };
}
