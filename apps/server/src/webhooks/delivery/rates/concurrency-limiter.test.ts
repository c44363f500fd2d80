import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Job, JobSource } from '../job.ts';
import { createEndpointQueues } from '../queue/endpoint-queues.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

const jobOf = (endpointId: string, source: JobSource, id = ''): Job =>
  ({ message: { id, endpointId }, source, leaseEndsMs: 0 }) as unknown as Job;

test('no endpoint holds more than a tenth of the slots, and jobs from PostgreSQL no more than half of all or of its own', () => {
  const step = fc.record({
    endpoint: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'),
    source: fc.constantFrom<JobSource>('queue', 'postgres'),
    isRelease: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 200 }), fc.array(step, { maxLength: 400 }), (total, steps) => {
      const limiter = createConcurrencyLimiter(total);
      const held: { endpoint: string; source: JobSource }[] = [];
      for (const { endpoint, source, isRelease } of steps) {
        const index = held.findIndex(slot => slot.endpoint === endpoint && slot.source === source);
        if (isRelease && index >= 0) {
          limiter.release(endpoint, source);
          held.splice(index, 1);
        } else if (limiter.acquire(endpoint, source)) held.push({ endpoint, source });
        const atEndpoint = held.filter(slot => slot.endpoint === endpoint);
        const maxPerEndpoint = Math.floor(total / 10);
        expect(limiter.inUse()).toBe(held.length);
        expect(held.length).toBeLessThanOrEqual(total);
        expect(atEndpoint.length).toBeLessThanOrEqual(maxPerEndpoint);
        expect(atEndpoint.filter(slot => slot.source === 'postgres').length).toBeLessThanOrEqual(
          Math.max(1, maxPerEndpoint / 2),
        );
        expect(held.filter(slot => slot.source === 'postgres').length).toBeLessThanOrEqual(total / 2);
        expect(limiter.busiestEndpoint()).toBeLessThanOrEqual(maxPerEndpoint);
      }
    }),
  );
});

test('an endpoint at its limit does not delay the others', () => {
  const queues = createEndpointQueues(createConcurrencyLimiter(20));
  for (let n = 0; n < 50; n++) queues.add(jobOf('tarpit', 'queue'));
  queues.add(jobOf('healthy', 'queue'));
  const taken = Array.from({ length: 10 }, () => queues.next()?.message.endpointId);
  expect(taken.filter(id => id === 'tarpit')).toHaveLength(2);
  expect(taken).toContain('healthy');
  expect(queues.length()).toBe(48);
});

test('queues take turns, and within a queue new events go before jobs from PostgreSQL', () => {
  const queues = createEndpointQueues(createConcurrencyLimiter(100));
  queues.add(jobOf('a', 'postgres', 'a1'));
  queues.add(jobOf('a', 'queue', 'a2'));
  queues.add(jobOf('b', 'queue', 'b1'));
  const taken = [queues.next(), queues.next(), queues.next(), queues.next()];
  expect(taken.map(job => job?.message.id)).toEqual(['a2', 'b1', 'a1', undefined]);
});

test('new events that wait too long are taken out, oldest first', () => {
  const limiter = createConcurrencyLimiter(10);
  const queues = createEndpointQueues(limiter);
  limiter.acquire('a', 'queue');
  queues.add(jobOf('a', 'queue', '1'));
  queues.add(jobOf('a', 'queue', '2'));
  queues.add(jobOf('a', 'postgres', '3'));
  expect(queues.takeOlder(performance.now() + 1).map(job => job.message.id)).toEqual(['1', '2']);
  expect(queues.length()).toBe(1);
});
