import { scanOf } from '@signpost/testing/scan-ledger.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDataset, type Dataset, type DatasetCode } from './dataset.ts';

let dataset: Dataset;
let key: string;
let code: DatasetCode;

beforeAll(async () => {
  dataset = await createDataset();
  const account = await dataset.account(1);
  key = account.key;
  code = account.codes[0]!;
  await dataset.add(Array.from({ length: 20 }, (_, n) => scanOf(code, n, { city: 'München' })));
});
afterAll(() => dataset.close());

const take = (query: string) =>
  dataset.api.call({ url: `/v1/qrcodes/${code.wireId}/analytics/export${query}`, key });

describe('the name of an export', () => {
  test.each([
    ['start_date=2026-03-01&end_date=2026-03-31&timezone=Pacific/Auckland', '2026-03-01-to-2026-03-31'],
    ['start_date=2026-03-01&end_date=2026-03-31&timezone=America/Los_Angeles', '2026-03-01-to-2026-03-31'],
    ['start_date=2026-03-01&end_date=2026-03-31', '2026-03-01-to-2026-03-31'],
    // In UTC this is one day, in Berlin it is past midnight.
    [
      'start_date=2026-03-10T22:00:00Z&end_date=2026-03-10T23:30:00Z&timezone=Europe/Berlin',
      '2026-03-10-to-2026-03-11',
    ],
  ])('has the days of the time zone: %s', async (query, days) => {
    for (const format of ['csv', 'json']) {
      const { status, headers } = await take(`?${query}&format=${format}`);
      expect(status).toBe(200);
      expect(headers['content-disposition']).toMatch(
        new RegExp(`^attachment; filename="[\\w-]+-scans-${days}\\.${format}"$`),
      );
    }
  });
});

describe('a byte order mark', () => {
  test('is present with bom=true, before the same file, and absent otherwise', async () => {
    const [plain, no, marked] = [await take(''), await take('?bom=false'), await take('?bom=true')];
    expect([plain.status, no.status, marked.status]).toEqual([200, 200, 200]);
    expect(plain.text).toMatch(/^id,timestamp,/);
    expect(plain.text).toContain('München');
    expect(no.text).toBe(plain.text);
    expect(marked.text).toBe(`\uFEFF${plain.text}`);
  });

  test('is refused for JSON, and is true or false', async () => {
    for (const query of ['?bom=true&format=json', '?bom=1', '?bom=', '?bom=true&bom=true']) {
      const { status, body } = await take(query);
      expect([status, body.error.code, body.error.param], query).toEqual([400, 'invalid_request', 'bom']);
    }
    expect((await take('?bom=false&format=json')).status).toBe(200);
  });
});
