import { expect, test } from 'vitest';
import { migrateUnderLoad } from '../../bench/migration.ts';

test('an index is built and a column added beside creates, reads, edits and scans: no call fails, and a lock timeout is retried', async () => {
  // The bench does the same with a million codes.
  const { failed, retries, quiet, building, holding } = await migrateUnderLoad(10_000, 500, () => {});
  expect(failed).toEqual([]);
  expect(retries).toBeGreaterThanOrEqual(1);
  // A call waits behind the migration for as long as that waits for its lock, half a second, and no longer.
  expect(holding.api).toBeLessThan(1_000 + 3 * quiet.api);
  expect(building.redirect).toBeLessThan(1_000 + 3 * quiet.redirect);
});
