import { expect, onTestFinished, test } from 'vitest';
import { isUnavailable, refusalCheckOf, unavailable } from '../platform/postgres.ts';
import { createDatabaseWatch } from '../redirect/database-watch.ts';

test.each([
  ['PostgreSQL that refuses counts as down at once', 'none', false],
  ['a pooler that refuses counts as silence', 'transaction', true],
] as const)('%s', async (_what, databasePooler, mayReturn) => {
  const silenceMs = 10_000;
  const watch = createDatabaseWatch({
    probe: () => new Promise(() => undefined),
    isRefusal: refusalCheckOf({ databasePooler }),
    isAway: isUnavailable,
    silenceMs,
    onChange: () => undefined,
  });
  onTestFinished(() => watch.stop());
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  await expect(watch.ask(() => Promise.reject(unavailable(refused)))).rejects.toThrow();
  expect(watch.silentMs() >= silenceMs).toBe(!mayReturn);
  expect(await watch.mayReturn(0)).toBe(mayReturn);
});
