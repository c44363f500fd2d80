import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseId } from '../../kernel/ids.ts';
import { listSpreads } from '../../scans/log/spreads.ts';

let api: TestApi;
let account: string;

beforeAll(async () => {
  api = await createTestApi({ SCAN_SHARDS: '4', VISITOR_WINDOW: 'day' });
  const created = await api.admin('create-account', 'Television');
  account = /acct_\w+/.exec(created)![0];
});
afterAll(() => api.close());

const dayMs = 86_400_000;

test('an account is spread from the next window on, or at once, and one change replaces those after it', async () => {
  expect(await api.admin('list-spreads')).toContain('each has one shard');
  expect(await api.admin('set-spread', account, '2')).toContain(`${account} uses 2 shards from `);
  const [planned] = await listSpreads(api.api.db);
  expect(planned).toMatchObject({ accountId: parseId('acct', account), shards: 2 });
  expect(planned!.from.getTime() % dayMs).toBe(0);
  expect(planned!.from.getTime() - Date.now()).toBeGreaterThan(9 * 60_000);

  await api.admin('set-spread', account, '4', '--now');
  const [now, ...rest] = await listSpreads(api.api.db);
  expect(rest).toEqual([]);
  expect(now).toMatchObject({ shards: 4 });
  expect(Math.abs(now!.from.getTime() - Date.now())).toBeLessThan(60_000);

  await api.admin('set-spread', account, '1');
  expect((await listSpreads(api.api.db)).map(({ shards }) => shards)).toEqual([4, 1]);
  expect(await api.admin('list-spreads')).toContain('1 shard');
});

test.each(['0', '5', 'many', ''])('%o shards of 4 are refused', async shards => {
  await expect(api.admin('set-spread', account, shards)).rejects.toThrow('from 1 to 4');
});
