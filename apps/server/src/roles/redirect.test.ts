import { expect, onTestFinished, test } from 'vitest';
import { connectionRefusalCheck, databaseUnavailable, isUnavailable } from '../platform/postgres.ts';
import { DatabaseWatch } from '../redirect/database-watch.ts';

test.each([
  ['PostgreSQL that refuses counts as down at once', 'none', false],
  ['a pooler that refuses counts as silence', 'transaction', true],
] as const)('%s', async (_what, databasePooler, mayReturn) => {
  const silenceMs = 10_000;
  const watch = new DatabaseWatch({
    probe: () => new Promise(() => undefined),
    isRefusal: connectionRefusalCheck({ databasePooler }),
    isUnreachable: isUnavailable,
    silenceMs,
    onChange: () => undefined,
  });
  onTestFinished(() => watch.stop());
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  await expect(watch.track(() => Promise.reject(databaseUnavailable(refused)))).rejects.toThrow();
  expect(watch.silentMs() >= silenceMs).toBe(!mayReturn);
  expect(await watch.mayRecover(0)).toBe(mayReturn);
});
