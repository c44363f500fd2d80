import { expect, test } from 'vitest';
import { Acknowledgements, createAckTimes } from './acknowledgements.ts';

function open(minMs = 100) {
  const clock = { ms: 0 };
  const times = createAckTimes({ minMs, maxMs: 1000 });
  return { clock, times, acknowledgements: new Acknowledgements(times, () => clock.ms) };
}

test('one acknowledgement covers every round up to its number', () => {
  const { acknowledgements } = open();
  const rounds = [1, 2, 3, 5].map(n => acknowledgements.open(n, 0, ['a', 'b']));
  acknowledgements.add('a', 3);
  expect(rounds.map(({ missing }) => [...missing])).toEqual([['b'], ['b'], ['b'], ['a', 'b']]);
  acknowledgements.add('b', 5);
  expect(rounds.map(({ missing }) => [...missing])).toEqual([[], [], [], ['a']]);
});

test('an acknowledgement that comes before the round is opened counts, an earlier number does not', async () => {
  const { acknowledgements } = open();
  acknowledgements.add('a', 4);
  expect(acknowledgements.open(4, 0, ['a']).missing.size).toBe(0);
  await acknowledgements.open(3, 0, ['a']).within(60_000);
  expect([...acknowledgements.open(5, 0, ['a']).missing]).toEqual(['a']);
});

test('a round that is opened after a later one is covered with it', () => {
  const { acknowledgements } = open();
  const later = acknowledgements.open(8, 0, ['a']);
  const earlier = acknowledgements.open(7, 0, ['a']);
  acknowledgements.add('a', 7);
  expect([earlier.missing.size, later.missing.size]).toEqual([0, 1]);
  acknowledgements.add('a', 8);
  expect(later.missing.size).toBe(0);
});

test('a round is over when the last process has acknowledged, or the time is up', async () => {
  const { acknowledgements } = open();
  const round = acknowledgements.open(1, 0, ['a', 'b']);
  const start = performance.now();
  await round.within(30);
  expect(performance.now() - start).toBeGreaterThanOrEqual(29);
  setTimeout(() => acknowledgements.add('a', 1), 5);
  setTimeout(() => acknowledgements.add('b', 2), 10);
  await round.within(60_000);
  expect(round.missing.size).toBe(0);
});

test('the time that a process takes is measured, whether the round was open or not', () => {
  const { acknowledgements, times, clock } = open();
  expect(times.of('far').timeoutMs()).toBe(1000);
  for (let n = 1; n <= 40; n++) {
    const sentAtMs = clock.ms;
    if (n % 2 === 0) acknowledgements.open(n, sentAtMs, ['near', 'far']);
    clock.ms += 2;
    acknowledgements.add('near', n);
    clock.ms += 198;
    acknowledgements.add('far', n);
    if (n % 2 === 1) acknowledgements.open(n, sentAtMs, ['near', 'far']);
  }
  expect(times.of('near').timeoutMs()).toBe(100);
  expect(times.of('far').smoothedMs).toBeCloseTo(200);
  expect(times.of('far').timeoutMs()).toBeGreaterThan(400);
  expect(times.of('far').timeoutMs()).toBeLessThan(500);
});

test('a closed round is waited for by nobody, and processes that are gone are forgotten', () => {
  const { acknowledgements, clock, times } = open();
  const ids = Array.from({ length: 100 }, (_, i) => `p${i}`);
  const round = acknowledgements.open(1, 0, ids);
  acknowledgements.add('p0', 1);
  round.close();
  clock.ms = 120_000;
  acknowledgements.open(2, clock.ms, ['p1']);
  expect(times.of('p0').smoothedMs).toBeNull();
  acknowledgements.add('p1', 2);
  expect([...round.missing]).toHaveLength(99);
});

test('an acknowledgement costs no more with a thousand processes than with ten', () => {
  const costOf = (processes: number) => {
    const { acknowledgements } = open();
    const ids = Array.from({ length: processes }, (_, i) => `p${i}`);
    const start = performance.now();
    let acks = 0;
    for (let n = 1; acks < 200_000; n++) {
      acknowledgements.open(n, 0, ids);
      for (const id of ids) acknowledgements.add(id, n);
      acks += processes;
    }
    return (performance.now() - start) / acks;
  };
  costOf(10);
  expect(costOf(1000)).toBeLessThan(10 * costOf(10));
});
