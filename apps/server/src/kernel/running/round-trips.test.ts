import { expect, test } from 'vitest';
import { createRoundTrips } from './round-trips.ts';

const limits = { minMs: 100, maxMs: 1000 };

test('a peer of which nothing is known gets the longest time', () => {
  const trips = createRoundTrips(limits);
  expect(trips.timeoutMs()).toBe(1000);
  expect(trips.smoothedMs).toBeNull();
});

test('a near peer gets the shortest time, a far one twice its round trip and a little more', () => {
  const near = createRoundTrips(limits);
  const far = createRoundTrips(limits);
  for (let i = 0; i < 50; i++) {
    near.observe(2);
    far.observe(200);
  }
  expect(near.timeoutMs()).toBe(100);
  expect(far.timeoutMs()).toBeGreaterThanOrEqual(400);
  expect(far.timeoutMs()).toBeLessThan(420);
});

test('a peer whose times vary gets more time than one that is steady', () => {
  const steady = createRoundTrips(limits);
  const unsteady = createRoundTrips(limits);
  for (let i = 0; i < 50; i++) {
    steady.observe(100);
    unsteady.observe(i % 2 === 0 ? 50 : 150);
  }
  expect(unsteady.timeoutMs()).toBeGreaterThan(steady.timeoutMs() + 100);
});

test('one outlier counts little, a lasting change soon, and never beyond the longest time', () => {
  const trips = createRoundTrips(limits);
  for (let i = 0; i < 50; i++) trips.observe(10);
  trips.observe(50);
  expect(trips.timeoutMs()).toBe(100);
  for (let i = 0; i < 20; i++) trips.observe(300);
  expect(trips.smoothedMs).toBeGreaterThan(250);
  expect(trips.timeoutMs()).toBeGreaterThan(500);
  for (let i = 0; i < 50; i++) trips.observe(5000);
  expect(trips.timeoutMs()).toBe(1000);
});

test('a missed answer doubles the time up to the longest, and the next answer ends that', () => {
  const trips = createRoundTrips(limits);
  for (let i = 0; i < 50; i++) trips.observe(10);
  trips.missed();
  expect(trips.timeoutMs()).toBe(200);
  for (let i = 0; i < 10; i++) trips.missed();
  expect(trips.timeoutMs()).toBe(1000);
  trips.observe(10);
  expect(trips.timeoutMs()).toBe(100);
});
