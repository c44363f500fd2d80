import { expect, test } from 'vitest';
import { type SlidingWindowAnswer, toDecision } from './sliding-window-decision.ts';

const minuteMs = 60_000;
/** Microseconds at so many seconds after a moment of our time. */
const at = (seconds: number) => (1_800_000_000 + seconds) * 1_000_000;

test('a call that was let through is told what is left, and when the whole limit is free again', () => {
  const answer: SlidingWindowAnswer = [1, 3, 0, at(0), at(0)];
  expect(toDecision(answer, 10, minuteMs)).toEqual({
    allowed: true,
    limit: 10,
    remaining: 7,
    resetAtSeconds: 1_800_000_060,
    retryAfterSeconds: 0,
  });
});

test('a call that was refused is told to wait until the one in its way has left the window', () => {
  const answer: SlidingWindowAnswer = [0, 10, at(0), at(50), at(55)];
  expect(toDecision(answer, 10, minuteMs)).toEqual({
    allowed: false,
    limit: 10,
    remaining: 0,
    resetAtSeconds: 1_800_000_110,
    retryAfterSeconds: 5,
  });
});

test('a part of a second is a whole one: who comes when told is never too early', () => {
  const answer: SlidingWindowAnswer = [0, 10, at(0) + 1, at(50) + 1, at(55)];
  expect(toDecision(answer, 10, minuteMs)).toMatchObject({
    resetAtSeconds: 1_800_000_111,
    retryAfterSeconds: 6,
  });
  const lastMoment: SlidingWindowAnswer = [0, 10, at(0) + 1, at(50), at(60)];
  expect(toDecision(lastMoment, 10, minuteMs).retryAfterSeconds).toBe(1);
});

test('after a limit was lowered nothing is left, rather than less than nothing', () => {
  const answer: SlidingWindowAnswer = [0, 10, at(0), at(50), at(55)];
  expect(toDecision(answer, 4, minuteMs).remaining).toBe(0);
});
