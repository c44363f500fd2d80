import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLines, type Job } from './lines.ts';
import { createPlaces, type Kind } from './places.ts';

const jobOf = (endpointId: string, kind: Kind, id = ''): Job =>
  ({ message: { id, endpointId }, kind, oursUntilMs: 0 }) as unknown as Job;

test('no endpoint holds more than a tenth of the places, nor what is stored more than half of all or of its own', () => {
  const step = fc.record({
    endpoint: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'),
    kind: fc.constantFrom<Kind>('live', 'stored'),
    give: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 200 }), fc.array(step, { maxLength: 400 }), (total, steps) => {
      const places = createPlaces(total);
      const held: { endpoint: string; kind: Kind }[] = [];
      for (const { endpoint, kind, give } of steps) {
        const mine = held.findIndex(one => one.endpoint === endpoint && one.kind === kind);
        if (give && mine >= 0) {
          places.give(endpoint, kind);
          held.splice(mine, 1);
        } else if (places.take(endpoint, kind)) held.push({ endpoint, kind });
        const count = (fits: (one: (typeof held)[number]) => boolean) => held.filter(fits).length;
        expect(places.inUse()).toBe(held.length);
        expect(held.length).toBeLessThanOrEqual(total);
        expect(count(one => one.endpoint === endpoint)).toBeLessThanOrEqual(Math.floor(total / 10));
        expect(count(one => one.kind === 'stored')).toBeLessThanOrEqual(total / 2);
        expect(places.mostOfOne()).toBeLessThanOrEqual(Math.floor(total / 10));
      }
    }),
  );
});

test('an endpoint at its limit keeps nobody else from being served', () => {
  const places = createPlaces(20);
  const lines = createLines(places);
  for (let n = 0; n < 50; n++) lines.add(jobOf('tarpit', 'live'));
  lines.add(jobOf('healthy', 'live'));
  const taken = Array.from({ length: 10 }, () => lines.next()?.message.endpointId);
  expect(taken.filter(id => id === 'tarpit')).toHaveLength(2);
  expect(taken).toContain('healthy');
  expect(lines.length()).toBe(48);
});

test('lines take turns, and within a line new events go before what is stored', () => {
  const lines = createLines(createPlaces(100));
  lines.add(jobOf('a', 'stored', 'a1'));
  lines.add(jobOf('a', 'live', 'a2'));
  lines.add(jobOf('b', 'live', 'b1'));
  expect([lines.next(), lines.next(), lines.next(), lines.next()].map(job => job?.message.id)).toEqual([
    'a2',
    'b1',
    'a1',
    undefined,
  ]);
});

test('what waits too long is taken out, oldest first', () => {
  const places = createPlaces(10);
  const lines = createLines(places);
  places.take('a', 'live');
  lines.add(jobOf('a', 'live', '1'));
  lines.add(jobOf('a', 'live', '2'));
  lines.add(jobOf('a', 'stored', '3'));
  expect(lines.takeOlder(performance.now() + 1).map(job => job.message.id)).toEqual(['1', '2']);
  expect(lines.length()).toBe(1);
});
