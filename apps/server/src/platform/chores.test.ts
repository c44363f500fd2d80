import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createChores } from './chores.ts';

const everyMs = 5;

test('a chore is done again and again, at once while there is more, and no longer once it is stopped', async () => {
  let [done, left] = [0, 50];
  const longMs = 60_000;
  const run = async () => {
    done++;
    return --left > 0;
  };
  const chores = createChores({ warn() {} }, [{ name: 'sweep', everyMs: longMs, run }]);
  chores.start();
  await pause(20);
  expect(done).toBe(50);
  await chores.stop();
  await pause(20);
  expect(done).toBe(50);
});

test('one that fails is tried again, keeps no other, and is told of once until it works again', async () => {
  const told: unknown[] = [];
  const warn = (fields: unknown) => void told.push(fields);
  let [tries, others] = [0, 0];
  const chores = createChores({ warn }, [
    {
      name: 'sweep',
      everyMs,
      async run() {
        tries++;
        if (tries !== 4) throw new Error(`no broom ${tries}`);
        return false;
      },
    },
    { name: 'dust', everyMs, run: async () => ++others < 0 },
  ]);
  chores.start();
  while (tries < 8) await pause(everyMs);
  await chores.stop();
  expect(told).toMatchObject([
    { chore: 'sweep', err: { message: 'no broom 1' } },
    { chore: 'sweep', err: { message: 'no broom 5' } },
  ]);
  expect(others).toBeGreaterThan(1);
});

test('a stop waits for what is under way, and tells it', async () => {
  let ended = false;
  const chores = createChores({ warn() {} }, [
    {
      name: 'sweep',
      everyMs,
      async run(signal) {
        await pause(60_000, undefined, { signal }).catch(() => undefined);
        await pause(20);
        ended = true;
        return true;
      },
    },
  ]);
  chores.start();
  await chores.stop();
  expect(ended).toBe(true);
});
