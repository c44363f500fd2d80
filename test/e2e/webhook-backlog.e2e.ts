import { expect, test } from 'vitest';
import { proveBacklog } from '../chaos/webhook-backlog.ts';

test('an account with undelivered webhooks fills its share of the queue and no more, loses none, and delays nobody', async () => {
  const figures = await proveBacklog({ messages: 3_000, maxPerAccount: 500, seconds: 1 }, () => undefined);
  expect(figures).toMatchObject({ dropped: 0, holds: true });
});
