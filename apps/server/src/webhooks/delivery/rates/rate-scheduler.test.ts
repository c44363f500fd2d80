import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { expect, test } from 'vitest';
import type { EndpointWithRate } from '../../webhook.ts';
import type { Job } from '../job.ts';
import type { ReservationRequest } from './rate-reservation.ts';
import { createRateScheduler } from './rate-scheduler.ts';

const endpoint: EndpointWithRate = {
  id: 'e',
  accountId: 'a',
  mode: 'live',
  url: 'https://shop.example/hooks',
  description: '',
  events: ['scan.created'],
  includeCodeDetails: false,
  qrIds: null,
  tags: null,
  enabled: true,
  disabledReason: null,
  failingSince: null,
  provenAt: new Date(0),
  hostRate: null,
  secret: Buffer.alloc(0),
  oldSecret: null,
  oldSecretUntil: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

const newJob: Job = {
  message: {
    id: 'm',
    endpointId: 'e',
    accountId: 'a',
    mode: 'live',
    event: 'scan.created',
    qrCodeId: null,
    body: '{}',
    createdAt: new Date(0),
  },
  source: 'queue',
  roundAttempts: 0,
  attempts: 0,
  leaseEndsMs: Number.POSITIVE_INFINITY,
  reservation: null,
  ack: () => undefined,
};

/** The rate limiter reserves times this far from now, one after the other. */
function createScheduler(offsetsMs: number[]) {
  const requests: ReservationRequest[] = [];
  const ready: Job[] = [];
  const scheduler = createRateScheduler({
    rateLimiter: {
      async reserve(request) {
        requests.push(request);
        const reservedMs = [performance.now() + offsetsMs.shift()!];
        return { reservedMs, waitsMs: [], decidedUs: null, reason: 'host_rate', spacingMs: 20 };
      },
    },
    readEndpoint: async () => endpoint,
    onReady: job => void ready.push(job),
    onThrottled: () => undefined,
    onError: (_, error) => expect.fail(String(error)),
    onWait: () => undefined,
  });
  async function schedule(job: Job): Promise<Job> {
    scheduler.schedule(job);
    await waitUntil('its reserved time has come', () => ready.length > 0);
    return ready.shift()!;
  }
  return { scheduler, requests, schedule };
}

test('a reservation expires after a quarter of a second; a job that missed it does not queue behind new events', async () => {
  const { scheduler, requests, schedule } = createScheduler([-300, 50]);
  const late = await schedule(newJob);
  expect(await scheduler.awaitReservation(late, endpoint)).toBe(false);
  const rescheduled = await schedule(late);
  expect(await scheduler.awaitReservation(rescheduled, endpoint)).toBe(true);
  expect(requests.map(({ kind }) => kind)).toEqual(['new', 'deferred']);
});

test('attempts that were delayed together are not sent together', async () => {
  const { scheduler } = createScheduler([]);
  const now = performance.now();
  const delayed = [0, 1, 2, 3].map(
    (n): Job => ({
      ...newJob,
      reservation: { atMs: now - 60 + 20 * n, spacingMs: 20, host: 'shop.example', isProven: true },
    }),
  );
  const sentMs: number[] = [];
  const held = await Promise.all(
    delayed.map(async job => {
      const isHeld = await scheduler.awaitReservation(job, endpoint);
      sentMs.push(performance.now());
      return isHeld;
    }),
  );
  expect(held).toEqual([true, true, true, true]);
  // By the times and not by the gaps: a timer that fires late makes the gap behind it shorter.
  for (const [n, at] of sentMs.entries()) expect(at - now).toBeGreaterThan(0.9 * 20 * n - 2);
});
