import { expect, test, vi } from 'vitest';
import { createLookUps } from './look-ups.ts';

test('a question that waits to be put again has not failed when its first try does', async () => {
  const tries: PromiseWithResolvers<ReadonlyMap<string, never>>[] = [];
  let pump = () => {};
  // Answers when the hedge looks, and is silent when the question should be put: it waits.
  const silences = [0, 0];
  const lookUps = createLookUps({
    store: {
      find: () => {
        tries.push(Promise.withResolvers());
        return tries.at(-1)!.promise;
      },
    },
    watch: {
      ask: question => question(),
      silentMs: () => silences.shift() ?? 1000,
      onAnswer: work => {
        pump = work;
      },
    },
    isRefusal: () => false,
    silenceMs: 20,
  });
  const answer = lookUps.find('menu');
  await vi.waitFor(() => expect(silences).toEqual([]));
  tries[0]!.reject(new Error('the connection broke'));
  await new Promise(resolve => setTimeout(resolve, 5));
  silences.push(0, 0, 0, 0);
  pump();
  tries[1]!.resolve(new Map<string, never>());
  expect(await answer).toBeNull();
});
