import { expect, test } from 'vitest';
import { waitUntil } from '../../../../tools/engines/wait.ts';
import { createAdmission } from './admission.ts';
import type { Job } from './lines.ts';
import type { Ask } from './turns.ts';
import type { Target } from './webhook.ts';

const target: Target = {
  id: 'e',
  accountId: 'a',
  mode: 'live',
  url: 'https://shop.example/hooks',
  description: '',
  events: ['scan.created'],
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
  kind: 'live',
  tries: 0,
  attempts: 0,
  oursUntilMs: Number.POSITIVE_INFINITY,
  slot: null,
  ack: () => undefined,
};

/** Whoever asks gets a moment that lies so far from now. */
function open(offsetsMs: number[]) {
  const asks: Ask[] = [];
  const ready: Job[] = [];
  const admission = createAdmission({
    rates: {
      async take(ask) {
        asks.push(ask);
        const slotsMs = [performance.now() + offsetsMs.shift()!];
        return { slotsMs, waitsMs: [], decidedUs: null, reason: 'host_rate', spacingMs: 20 };
      },
    },
    read: async () => target,
    onReady: job => void ready.push(job),
    onRefused: () => undefined,
    onLost: (_, error) => expect.fail(String(error)),
    onWait: () => undefined,
  });
  async function admit(job: Job): Promise<Job> {
    admission.admit(job);
    await waitUntil('its moment has come', () => ready.length > 0);
    return ready.shift()!;
  }
  return { admission, asks, admit };
}

test('a moment that is over by more than a quarter of a second is void; who missed it has had its turn in line', async () => {
  const { admission, asks, admit } = open([-300, 50]);
  const late = await admit(newJob);
  expect(await admission.covers(late, target)).toBe(false);
  const again = await admit(late);
  expect(await admission.covers(again, target)).toBe(true);
  expect(asks.map(({ kind }) => kind)).toEqual(['live', 'parked']);
});

test('tries that were held up together do not go together', async () => {
  const { admission } = open([]);
  const now = performance.now();
  const held = [0, 1, 2, 3].map(
    (n): Job => ({
      ...newJob,
      slot: { atMs: now - 60 + 20 * n, spacingMs: 20, host: 'shop.example', isProven: true },
    }),
  );
  const went: number[] = [];
  const covered = await Promise.all(
    held.map(async job => {
      const isCovered = await admission.covers(job, target);
      went.push(performance.now());
      return isCovered;
    }),
  );
  expect(covered).toEqual([true, true, true, true]);
  // By when each goes and not by the gaps: one that wakes up late makes the gap behind it shorter.
  for (const [n, at] of went.entries()) expect(at - now).toBeGreaterThan(0.9 * 20 * n - 2);
});
