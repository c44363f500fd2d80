import { createHash } from 'node:crypto';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { expect, test } from 'vitest';
import { uuidFrom } from '../kernel/ids.ts';
import { compileSplit } from './split.ts';

const visitors = ciScale(1_000_000, 200_000);
const idOf = (name: string) => uuidFrom(createHash('sha256').update(name).digest('hex').slice(0, 32));
const targetOf = (name: string, weight: number) => ({ id: idOf(name), name, weight });

/** One name for each visitor, in order. */
function draw(targets: readonly ReturnType<typeof targetOf>[]): string[] {
  const visitor = new Uint8Array(16);
  const nameFor = compileSplit(targets, ({ name }) => name);
  const counter = new Uint32Array(visitor.buffer);
  return Array.from({ length: visitors }, (_, number) => {
    // Any 128 bits that differ will do: a splitmix of the number.
    for (let word = 0; word < 4; word++) counter[word] = splitmix(number * 4 + word);
    return nameFor({ visitor });
  });
}

function splitmix(seed: number): number {
  let z = (seed + 0x9e3779b9) | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return z ^ (z >>> 15);
}

const shareOf = (names: readonly string[], name: string) =>
  names.filter(one => one === name).length / names.length;
/** Four standard deviations of the share at this number of visitors; 0.2 % at a million. */
const tolerance = 4 * Math.sqrt(0.25 / visitors);

test('the shares of visitors follow the weights', () => {
  for (const weights of [[1, 1], [60, 40], [1, 2, 7], [100, 1], Array.from({ length: 10 }, () => 1)]) {
    const targets = weights.map((weight, i) => targetOf(`target ${i}`, weight));
    const names = draw(targets);
    const sum = weights.reduce((total, weight) => total + weight);
    for (const { name, weight } of targets)
      expect(Math.abs(shareOf(names, name) - weight / sum), `${name} of ${weights}`).toBeLessThan(tolerance);
  }
});

test('another weight moves only the visitors that have to move', () => {
  const before = draw([targetOf('a', 50), targetOf('b', 50)]);
  const after = draw([targetOf('a', 60), targetOf('b', 40)]);
  const moved = before.map((name, i) => [name, after[i]!] as const).filter(([from, to]) => from !== to);
  expect(Math.abs(moved.length / visitors - 0.1)).toBeLessThan(0.005);
  expect(moved.every(([, to]) => to === 'a')).toBe(true);
});

test('a target that is added takes visitors from all others and moves nobody else', () => {
  const before = draw([targetOf('a', 1), targetOf('b', 1)]);
  const after = draw([targetOf('a', 1), targetOf('b', 1), targetOf('c', 1)]);
  const moved = before.map((name, i) => [name, after[i]!] as const).filter(([from, to]) => from !== to);
  expect(Math.abs(moved.length / visitors - 1 / 3)).toBeLessThan(tolerance);
  expect(moved.every(([, to]) => to === 'c')).toBe(true);
});

test('a visitor keeps its target in later versions too', () => {
  const targets = [targetOf('a', 3), targetOf('b', 2), targetOf('c', 1)];
  const nameFor = compileSplit(targets, ({ name }) => name);
  const visitorOf = (number: number) => createHash('md5').update(String(number)).digest();
  const names = Array.from({ length: 80 }, (_, number) => nameFor({ visitor: visitorOf(number) }));
  expect(names.join('')).toBe(
    'abababaaaccbabaacbabaaabbbbbbaaabbcaabaaabbbbbbbbabbcbbabbcbaacaabaabaaaaabbbbba',
  );
});

test('two codes split the same visitors independently of each other', () => {
  const first = draw([targetOf('a', 1), targetOf('b', 1)]);
  const second = draw([targetOf('c', 1), targetOf('d', 1)]);
  const both = first.filter((name, i) => name === 'a' && second[i] === 'c').length / visitors;
  expect(Math.abs(both - 0.25)).toBeLessThan(tolerance);
});
