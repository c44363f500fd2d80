import { expect, test, vi } from 'vitest';
import { createLookups } from './lookups.ts';

test('a look-up that waits for its retry has not failed when its first try does', async () => {
  const tries: PromiseWithResolvers<ReadonlyMap<string, never>>[] = [];
  let sendBatches = () => {};
  // PostgreSQL answers when the hedge checks, and is silent when the retry should be sent, so the retry waits.
  const silences = [0, 0];
  const lookups = createLookups({
    store: {
      find: () => {
        tries.push(Promise.withResolvers());
        return tries.at(-1)!.promise;
      },
    },
    watch: {
      track: query => query(),
      silentMs: () => silences.shift() ?? 1000,
      limitMs: () => 20,
      onAnswer: callback => {
        sendBatches = callback;
      },
    },
    isRefusal: () => false,
    silenceMs: 20,
  });
  const answer = lookups.find('menu');
  await vi.waitFor(() => expect(silences).toEqual([]));
  tries[0]!.reject(new Error('the connection broke'));
  await new Promise(resolve => setTimeout(resolve, 5));
  silences.push(0, 0, 0, 0);
  sendBatches();
  tries[1]!.resolve(new Map<string, never>());
  expect(await answer).toBeNull();
});
