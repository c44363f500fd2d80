import { describe, expect, test } from 'vitest';
import { allowanceOf, assess, growthsOf, type RunTotals, type Sample } from './assess.ts';

const seconds = 30 * 60;
const good: RunTotals = {
  seconds,
  requests: 1000,
  requestsPlanned: 1000,
  errors: 0,
  lost: 0,
  doubled: 0,
  webhooksMissing: 0,
  liveMissing: 0,
};

/** Samples of one process. `at` gives the figures of the n-th sample; the others stay constant. */
const samplesOf = (process: string, count: number, at: (n: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: count }, (_, n) => ({
    process,
    rssMb: 100,
    heapMb: 40,
    committedMb: 60,
    externalMb: 5,
    fds: 30,
    handles: 20,
    ...at(n),
  }));

describe('growth', () => {
  test('is that of the last third over the second; warm-up does not count', () => {
    const samples = samplesOf('api', 90, n => ({ rssMb: n < 30 ? n * 10 : n < 60 ? 300 : 305 }));
    expect(growthsOf(samples)).toEqual([{ process: 'api', rssMb: 5, heapMb: 0, fds: 0, handles: 0 }]);
  });

  test('of memory is that of its troughs: peaks between two collections do not count', () => {
    const saw = (low: number) => (n: number) => ({ rssMb: low + ((n * 37) % 30) * (n < 60 ? 3 : 6) });
    expect(growthsOf(samplesOf('api', 90, saw(200)))[0]!.rssMb).toBeLessThanOrEqual(9);
    const lifted = samplesOf('api', 90, n => saw(n < 60 ? 200 : 240)(n));
    expect(growthsOf(lifted)[0]!.rssMb).toBeGreaterThanOrEqual(40);
  });

  test('of files is not moved by a peak now and then', () => {
    const samples = samplesOf('api', 90, n => ({ fds: n % 10 === 0 && n > 60 ? 90 : 30 }));
    expect(growthsOf(samples)[0]!.fds).toBe(0);
  });

  test('is measured for each process', () => {
    const samples = [...samplesOf('api', 9, n => ({ fds: n })), ...samplesOf('deliver', 9, () => ({}))];
    expect(growthsOf(samples.toSorted(() => 0)).map(({ fds }) => fds)).toEqual([3, 0]);
  });

  test('needs more than two samples', () => {
    expect(() => growthsOf(samplesOf('api', 2, () => ({})))).toThrow('2 samples');
  });
});

describe('the assessment', () => {
  const flat = [...samplesOf('api', 30, () => ({})), ...samplesOf('ingest', 30, () => ({}))];

  test('is good where nothing grew, failed or was lost', () => {
    expect(assess(flat, good)).toMatchObject({
      faults: [],
      worst: { rssMb: 0, heapMb: 0, fds: 0, handles: 0 },
    });
  });

  test('names the process that keeps a kilobyte of each of 180,000 requests', () => {
    const leaking = samplesOf('deliver', 360, n => ({ rssMb: 100 + (n * 180) / 360 }));
    const { faults, worst } = assess([...flat, ...leaking], good);
    expect(faults).toEqual(['deliver grew by 60 MB of memory, at most 20 are allowed']);
    expect(worst.rssMb).toBe(60);
  });

  test.each(['rssMb', 'heapMb', 'fds', 'handles'] as const)(
    'allows %s as much as is allowed and not one more',
    kind => {
      const allowed = allowanceOf(seconds)[kind];
      const grown = (by: number) => samplesOf('api', 30, n => ({ [kind]: n < 20 ? 50 : 50 + by }));
      expect(assess(grown(allowed), good).faults).toEqual([]);
      expect(assess(grown(allowed + 1), good).faults).toHaveLength(1);
    },
  );

  test.each(['errors', 'lost', 'doubled', 'webhooksMissing', 'liveMissing'] as const)(
    'is bad for one of %s, or where nobody could count them',
    what => {
      for (const count of [1, Number.NaN])
        expect(assess(flat, { ...good, [what]: count }).faults).toHaveLength(1);
    },
  );

  test('is bad where the load was much less than meant', () => {
    expect(assess(flat, { ...good, requests: 890 }).faults).toEqual([
      expect.stringContaining('890 requests of 1000'),
    ]);
    expect(assess(flat, { ...good, requests: 900 }).faults).toEqual([]);
  });

  test('is bad where a figure is missing', () => {
    const blind = samplesOf('api', 30, () => ({ heapMb: Number.NaN }));
    expect(assess(blind, good).faults).toHaveLength(1);
  });
});
