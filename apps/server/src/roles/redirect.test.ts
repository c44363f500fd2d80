import { expect, onTestFinished, test } from 'vitest';
import { connectionRefusalCheck, databaseUnavailable, isUnavailable } from '../platform/postgres/postgres.ts';
import { DatabaseWatch } from '../redirect/links/database-watch.ts';
import { silenceLimitMs } from './redirect.ts';

test.each([
  ['never reached', null, 1000],
  ['near', 2, 120],
  ['100 ms away', 100, 260],
  ['200 ms away', 200, 460],
  ['farther than a query may take', 800, 1000],
])('a PostgreSQL that is %s has its own limit for an answer', (_where, roundTripMs, limitMs) => {
  expect(silenceLimitMs(roundTripMs)).toBe(limitMs);
});

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
