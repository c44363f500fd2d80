import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { keepReserve, releaseReserve } from './reserve.ts';

const size = 1_500_000;

let root: string;
let free: number;
let looks = 0;
let released = 0;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'reserve-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  free = 10 * size;
});

function keep(errors: unknown[] = []) {
  const reserve = keepReserve({
    root,
    bytes: size,
    disk: {
      freeBytes() {
        looks++;
        return free;
      },
    },
    onReleased: () => released++,
    onError: error => errors.push(error),
    everyMs: 5,
  });
  onTestFinished(() => reserve.stop());
  return reserve;
}

test('the space is taken, released once, and taken again only when twice as much is free', async () => {
  const reserve = keep();
  await waitUntil('it is there', () => reserve.bytes() === size);
  expect(statSync(join(root, 'reserve')).size).toBe(size);
  free = 2 * size - 1;
  expect([await releaseReserve(root), await releaseReserve(root)]).toEqual([true, false]);
  await waitUntil('that is known', () => reserve.bytes() === 0);
  expect(released).toBe(1);
  for (const tooLittle of [2 * size - 1, Number.NaN]) {
    free = tooLittle;
    const before = looks;
    await waitUntil('it has looked twice', () => looks > before + 2);
    expect([reserve.bytes(), existsSync(join(root, 'reserve'))]).toEqual([0, false]);
  }
  free = 2 * size;
  await waitUntil('it is there again', () => reserve.bytes() === size);
  await reserve.stop();
  expect(existsSync(join(root, 'reserve'))).toBe(false);
});

test('what a killed process had begun is removed', async () => {
  writeFileSync(join(root, 'reserve.1.tmp'), 'x');
  const reserve = keep();
  await waitUntil('it is there', () => reserve.bytes() === size);
  expect(readdirSync(root)).toEqual(['reserve']);
});

test('a directory that cannot be written is reported', async () => {
  const errors: unknown[] = [];
  rmSync(root, { recursive: true });
  const reserve = keep(errors);
  await waitUntil('it is reported', () => errors.length > 0);
  expect(reserve.bytes()).toBe(0);
  writeFileSync(root, '');
});
