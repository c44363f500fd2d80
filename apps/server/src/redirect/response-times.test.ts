import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createRedirectMetrics } from './metrics.ts';
import { createResponseTimes } from './response-times.ts';

test('a response counts in the bucket of its time, and 50 ms are within the objective', () => {
  let now = 0;
  const times = createResponseTimes([503, 302, 302], () => now);
  const take = (ms: number, status = 302) => {
    const arrived = times.now();
    now += ms;
    times.record(status, arrived);
  };
  for (const ms of [0, 1, 1.1, 50, 50.1, 2_500, 60_000]) take(ms);
  take(2_000, 503);
  const [moved, away] = times.read();
  expect(moved).toMatchObject({ status: 302, responses: 7 });
  expect(moved!.seconds).toBeCloseTo(62.6022, 4);
  expect(Object.fromEntries(moved!.buckets)).toMatchObject({
    0.001: 2,
    0.0025: 3,
    0.05: 4,
    0.1: 5,
    1: 5,
    2.5: 6,
  });
  expect(away).toMatchObject({ status: 503, responses: 1, seconds: 2 });
});

test('a time that spans the wrap of the 32 bits is right', () => {
  let now = 2 ** 31 / 1_000 - 3;
  const times = createResponseTimes([302], () => now);
  const arrived = times.now();
  now += 7;
  times.record(302, arrived);
  expect(times.read()[0]!.seconds).toBeCloseTo(0.007, 5);
});

test('Prometheus gets every status from the start, as a histogram', async () => {
  const registry = new Registry();
  registry.setDefaultLabels({ role: 'redirect' });
  const times = createResponseTimes([302, 503], () => 0);
  createRedirectMetrics(registry, {
    lease: { isGood: () => true, renewedMsAgo: () => 0, timesLost: 2 },
    changes: { epoch: 1, applied: 0, caughtUp: 0 },
    links: {
      size: 0,
      lookupCounts: { memory: 7, database: 1, last_known: 0, filter: 0, busy: 0, away: 0 },
    },
    watch: { silentMs: () => 0 },
    roundTripsMs: { postgres: () => null, redis: () => null },
    gate: { waiting: 0 },
    filter: { bytes: 0 },
    snapshot: { ageSeconds: () => 0 },
    times,
  });
  times.record(302, 0);
  for (let asked = 0; asked < 2; asked++) {
    const lines = (await registry.metrics()).split('\n');
    expect(lines).toContain('# TYPE signpost_redirect_seconds histogram');
    for (const line of [
      'signpost_redirect_seconds_bucket{status="302",le="0.05",role="redirect"} 1',
      'signpost_redirect_seconds_bucket{status="302",le="+Inf",role="redirect"} 1',
      'signpost_redirect_seconds_count{status="302",role="redirect"} 1',
      'signpost_redirect_seconds_count{status="503",role="redirect"} 0',
      'signpost_lease_losses_total{role="redirect"} 2',
      'signpost_link_lookups_total{kind="memory",role="redirect"} 7',
      'signpost_link_lookups_total{kind="last_known",role="redirect"} 0',
    ])
      expect(lines).toContain(line);
  }
});
