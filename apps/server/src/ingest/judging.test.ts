import { expect, test } from 'vitest';
import { checkedOf } from '../../../../test/support/file-scan-log.ts';
import { batchOf, type Code, ids, scanOf } from '../../../../test/support/scan-ledger.ts';
import type { ScanBatch } from '../scans/scan.ts';
import { groupOf } from './ingest.ts';
import { judge } from './judging.ts';

const [living, deleted]: Code[] = [1, 2].map(() => ({ id: ids.next(), accountId: ids.next() }));
const scans = (count: number, code = living!) => Array.from({ length: count }, (_, n) => scanOf(code, n));

/** `fresh` are the batches that PostgreSQL had not seen before. */
function judged(batches: readonly ScanBatch[], fresh: readonly ScanBatch[] = batches) {
  const entries = batches.map((batch, index) => checkedOf(index + 1, batch));
  const news = new Set(fresh.map(batch => batch.id));
  const { result, ...rest } = judge(groupOf({ shard: 0, log: 0 }, 0, entries), news, new Set([living!.id]));
  return { ...rest, kept: [...result] };
}

test('scans of new batches and living codes are kept, in the order of the log', () => {
  const [one, two] = [batchOf(...scans(2)), batchOf(...scans(1))];
  expect(judged([one, two])).toEqual({
    kept: [1, 1, 1],
    scans: [...one.scans, ...two.scans],
    repeated: 0,
    dead: 0,
  });
});

test('a batch that was counted before is left out, and those behind it are judged by themselves', () => {
  const [known, fresh] = [batchOf(...scans(2)), batchOf(...scans(1))];
  expect(judged([known, fresh], [fresh])).toMatchObject({ kept: [0, 0, 1], repeated: 2, dead: 0 });
});

test('a batch that comes twice in one group is kept once', () => {
  const batch = batchOf(...scans(2));
  expect(judged([batch, batchOf(...scans(1)), batch])).toMatchObject({ kept: [1, 1, 1, 0, 0], repeated: 2 });
});

test('scans of a deleted code are left out and told apart from repeated ones', () => {
  const mixed = batchOf(...scans(1), ...scans(2, deleted), ...scans(1));
  expect(judged([mixed])).toMatchObject({ kept: [1, 0, 0, 1], repeated: 0, dead: 2 });
  // A repeated one is repeated, whatever became of its code.
  expect(judged([mixed], [])).toMatchObject({ kept: [0, 0, 0, 0], repeated: 4, dead: 0 });
});

test('an entry without scans moves nothing', () => {
  expect(judged([batchOf(), batchOf(...scans(1)), batchOf()])).toMatchObject({ kept: [1], repeated: 0 });
});
