import { checkedOf } from '@signpost/testing/file-scan-log.ts';
import { batchOf, type Code, ids, scanOf } from '@signpost/testing/scan-ledger.ts';
import { expect, test } from 'vitest';
import type { ScanBatch } from '../../scans/scan.ts';
import { toGroup } from '../ingest.ts';
import { classify } from './classify.ts';

const [existing, deletedCode]: Code[] = [1, 2].map(() => ({ id: ids.next(), accountId: ids.next() }));
const scans = (count: number, code = existing!) => Array.from({ length: count }, (_, n) => scanOf(code, n));

/** `newBatches` are those that PostgreSQL had not seen before. */
function classified(batches: readonly ScanBatch[], newBatches: readonly ScanBatch[] = batches) {
  const entries = batches.map((batch, index) => checkedOf(index + 1, batch));
  const newIds = new Set(newBatches.map(batch => batch.id));
  const { classifications, ...rest } = classify(
    toGroup({ shard: 0, log: 0 }, 0, entries),
    newIds,
    new Set([existing!.id]),
  );
  return { ...rest, classifications: [...classifications] };
}

test('scans of new batches and existing codes are counted, in log order', () => {
  const [first, second] = [batchOf(...scans(2)), batchOf(...scans(1))];
  expect(classified([first, second])).toEqual({
    classifications: [1, 1, 1],
    scans: [...first.scans, ...second.scans],
    repeated: 0,
    deleted: 0,
  });
});

test('a batch that was counted before is skipped, and those after it are classified independently', () => {
  const [known, added] = [batchOf(...scans(2)), batchOf(...scans(1))];
  expect(classified([known, added], [added])).toMatchObject({
    classifications: [0, 0, 1],
    repeated: 2,
    deleted: 0,
  });
});

test('a batch that comes twice in one group is counted once', () => {
  const batch = batchOf(...scans(2));
  expect(classified([batch, batchOf(...scans(1)), batch])).toMatchObject({
    classifications: [1, 1, 1, 0, 0],
    repeated: 2,
  });
});

test('scans of a deleted code are skipped and counted apart from repeated ones', () => {
  const mixed = batchOf(...scans(1), ...scans(2, deletedCode), ...scans(1));
  expect(classified([mixed])).toMatchObject({ classifications: [1, 0, 0, 1], repeated: 0, deleted: 2 });
  // A repeated scan counts as repeated, whatever became of its code.
  expect(classified([mixed], [])).toMatchObject({ classifications: [0, 0, 0, 0], repeated: 4, deleted: 0 });
});

test('an entry without scans shifts no index', () => {
  expect(classified([batchOf(), batchOf(...scans(1)), batchOf()])).toMatchObject({
    classifications: [1],
    repeated: 0,
  });
});
