import { expect, test } from 'vitest';
import { proveNoLoss } from '../chaos/no-loss.ts';

test('every scan and every suspension arrives at every endpoint that subscribes to it and is in the log, though deliver, NATS and PostgreSQL are killed', async () => {
  const figures = await proveNoLoss(
    {
      scans: 60,
      endpoints: 10,
      suspensions: 60,
      dispatchers: 1,
      dispatcherKills: 4,
      engineKills: 1,
      settleMs: 90_000,
    },
    () => undefined,
  );
  expect(figures).toMatchObject({ lost: 0, mismatched: 0, unlogged: 0, kills: 4, engineKills: 2 });
  expect(figures.scanDeliveries).toBeGreaterThanOrEqual(600);
  expect(figures.suspensionDeliveries).toBeGreaterThanOrEqual(60);
});
