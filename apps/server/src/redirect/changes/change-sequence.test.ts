import { expect, test } from 'vitest';
import type { Change } from './change.ts';
import { type ChangeHistory, ChangeSequence } from './change-sequence.ts';

const keptMs = 3_600_000;

const change = (key: string, inbox = 'editor'): Change => ({
  id: `id-${key}`,
  inbox,
  keys: [key],
  stops: [],
  all: false,
});

/** A history in memory, and a process that applies its changes. */
function open() {
  let stored = new Map<number, Change>();
  const state = { stream: 's', first: 1, last: 0 };
  const reads: number[] = [];
  const history: ChangeHistory & { isAway: boolean } = {
    isAway: false,
    async state() {
      if (history.isAway) throw new Error('away');
      return { ...state };
    },
    async read(n) {
      reads.push(n);
      return stored.get(n) ?? null;
    },
  };
  const applied: string[] = [];
  const acks: string[] = [];
  const clock = { ms: 0 };
  const sequence = new ChangeSequence({
    history,
    handler: {
      invalidate: keys => applied.push(...keys),
      applyStops: stops => applied.push(...stops.map(({ subject }) => subject)),
    },
    acknowledge: (inbox, n) => acks.push(`${inbox} ${n}`),
    keptMs,
    nowMs: () => clock.ms,
  });
  return {
    history,
    state,
    sequence,
    applied,
    acks,
    reads,
    clock,
    /** Stores a change; the caller delivers it or not. */
    store(key: string, inbox?: string) {
      const message = change(key, inbox);
      stored.set(++state.last, message);
      const n = state.last;
      return { n, deliver: () => sequence.receive(n, message) };
    },
    /** The history as it was after a number. */
    restore(last: number) {
      stored = new Map([...stored].filter(([n]) => n <= last));
      state.last = last;
    },
    expire(before: number) {
      for (const n of stored.keys()) if (n < before) stored.delete(n);
      state.first = before;
    },
    replace(stream: string) {
      stored = new Map();
      Object.assign(state, { stream, first: 1, last: 0 });
    },
  };
}

type Opened = ReturnType<typeof open>;

/** After three changes, all of which arrived. */
async function begun(): Promise<Opened> {
  const opened = open();
  await opened.sequence.catchUp();
  for (const key of ['a', 'b', 'c']) opened.store(key).deliver();
  expect(opened.applied).toEqual(['a', 'b', 'c']);
  expect(opened.sequence.epoch).toBe(1);
  return opened;
}

test('changes are applied in order and acknowledged, without a look at the history', async () => {
  const { acks, reads, sequence } = await begun();
  expect(acks).toEqual(['editor 1', 'editor 2', 'editor 3']);
  expect(reads).toEqual([]);
  expect(sequence.applied).toBe(3);
});

test('a gap is read from the history, and only what is in it is dropped', async () => {
  const { applied, acks, sequence, store } = await begun();
  store('missed-1', 'one');
  store('missed-2', 'two');
  store('d').deliver();
  await sequence.catchUp();
  expect(applied).toEqual(['a', 'b', 'c', 'missed-1', 'missed-2', 'd']);
  expect(acks.slice(3).sort()).toEqual(['editor 6', 'one 4', 'two 5']);
  expect(sequence.epoch).toBe(1);
  expect(sequence.caughtUp).toBe(2);
});

test('catching up acknowledges once what one editor has sent', async () => {
  const { acks, sequence, store } = await begun();
  for (let i = 0; i < 500; i++) store(`missed-${i}`);
  await sequence.catchUp();
  expect(sequence.applied).toBe(503);
  expect(acks.at(-1)).toBe('editor 503');
  expect(acks.length).toBeLessThan(10);
});

test('a change that was read from the history and also arrives is applied once and acknowledged', async () => {
  const { applied, acks, sequence, store } = await begun();
  const late = store('d');
  await sequence.catchUp();
  late.deliver();
  expect(applied).toEqual(['a', 'b', 'c', 'd']);
  expect(acks.slice(3)).toEqual(['editor 4', 'editor 4']);
  expect(sequence.epoch).toBe(1);
});

test('what arrives while catching up is applied after it, in order', async () => {
  const { applied, sequence, store } = await begun();
  store('missed');
  const running = sequence.catchUp();
  store('e').deliver();
  store('f').deliver();
  expect(applied).toHaveLength(3);
  await running;
  expect(applied).toEqual(['a', 'b', 'c', 'missed', 'e', 'f']);
  expect(sequence.epoch).toBe(1);
});

test('another history begins a new epoch', async () => {
  const { applied, sequence, store, replace } = await begun();
  replace('t');
  for (const key of ['x', 'y', 'z', 'w']) store(key);
  await sequence.catchUp();
  expect(sequence.epoch).toBe(2);
  expect(sequence.applied).toBe(4);
  store('v').deliver();
  expect(applied.at(-1)).toBe('v');
});

test('another history is noticed by a number that was assigned before', async () => {
  const { sequence, store, replace, acks } = await begun();
  replace('t');
  store('x').deliver();
  await sequence.catchUp();
  expect(sequence.epoch).toBe(2);
  expect(sequence.applied).toBe(1);
  expect(acks.at(-1)).toBe('editor 1');
});

test.each([
  ['is shorter', 0],
  ['has grown as long again', 2],
  ['has grown longer', 5],
])('an older copy that %s begins a new epoch', async (_, added) => {
  const { sequence, store, restore } = await begun();
  restore(1);
  for (let i = 0; i < added; i++) store(`other-${i}`);
  await sequence.catchUp();
  expect(sequence.epoch).toBe(2);
  expect(sequence.applied).toBe(1 + added);
});

test('an older copy with changes that arrive is noticed although nobody asks', async () => {
  const { sequence, store, restore } = await begun();
  restore(2);
  store('other').deliver();
  await sequence.catchUp();
  expect(sequence.epoch).toBe(2);
});

test('what lies between and is no longer there begins a new epoch', async () => {
  const { sequence, store, expire } = await begun();
  for (const key of ['d', 'e', 'f']) store(key);
  expire(5);
  await sequence.catchUp();
  expect(sequence.epoch).toBe(2);
  expect(sequence.applied).toBe(6);
});

test('where nothing was missed, it does not matter that the last change has expired, unless that was long ago', async () => {
  const { sequence, store, expire, clock, applied } = await begun();
  expire(4);
  await sequence.catchUp();
  expect(sequence.epoch).toBe(1);
  store('d').deliver();
  expect(applied.at(-1)).toBe('d');
  expire(5);
  clock.ms += keptMs;
  await sequence.catchUp();
  expect(sequence.epoch).toBe(2);
});

test('too many missed changes are not read', async () => {
  const { sequence, store, reads } = await begun();
  for (let i = 0; i < 10_001; i++) store(`k${i}`);
  await sequence.catchUp();
  expect(sequence.epoch).toBe(2);
  expect(reads.length).toBeLessThan(5);
});

test('a number that was assigned and that the history does not have begins a new epoch, once', async () => {
  const { sequence } = await begun();
  const newest = { stream: 's', n: 7 };
  expect(sequence.isBehind({ stream: 's', n: 3 })).toBe(false);
  expect(sequence.isBehind(newest)).toBe(true);
  await sequence.catchUp(newest);
  expect(sequence.epoch).toBe(2);
  expect(sequence.isBehind(newest)).toBe(false);
  await sequence.catchUp(newest);
  expect(sequence.epoch).toBe(2);
  // A number of another history says nothing about this one.
  await sequence.catchUp({ stream: 'before', n: 900 });
  expect(sequence.epoch).toBe(2);
});

test('a change may tell everybody to forget everything', async () => {
  const { sequence, state } = await begun();
  sequence.receive(++state.last, { ...change('d'), all: true });
  expect(sequence.epoch).toBe(2);
});

test('a history that is away fails the attempt, and the next one catches up', async () => {
  const { sequence, store, history, applied } = await begun();
  store('missed');
  history.isAway = true;
  store('e').deliver();
  await expect(sequence.catchUp()).rejects.toThrow('away');
  expect(applied).toHaveLength(3);
  history.isAway = false;
  await sequence.catchUp();
  expect(applied.slice(3)).toEqual(['missed', 'e']);
  expect(sequence.epoch).toBe(1);
});

test('a call while catching up looks at the history again: it may have grown since the first look', async () => {
  const { sequence, store, applied } = await begun();
  const first = sequence.catchUp();
  await Promise.resolve();
  store('d');
  const second = sequence.catchUp();
  await Promise.all([first, second]);
  expect(applied.at(-1)).toBe('d');
});
