import type { Uuid } from '../../kernel/ids.ts';
import type { Scan } from '../../scans/scan.ts';
import { type Classifications, classes, type Group, listScans } from '../ingest.ts';

/** What becomes of the scans of a group. PostgreSQL decides later which of the counted ones are unique. */
export type Classified = {
  readonly classifications: Classifications;
  /** All scans of the group in log order, with the same indexes as the classifications. */
  readonly scans: readonly Scan[];
  readonly repeated: number;
  readonly deleted: number;
};

/** Decides which scans of a group count: those of new batches, once each, and of codes that exist. */
export function classify(
  group: Group,
  newBatches: ReadonlySet<Uuid>,
  existingCodes: ReadonlySet<Uuid>,
): Classified {
  const scans = listScans(group);
  const classifications = Buffer.alloc(scans.length, classes.skipped);
  const seen = new Set<Uuid>();
  let [start, repeated, deleted] = [0, 0, 0];
  for (const { batch } of group.entries) {
    const isNew = newBatches.has(batch.id) && !seen.has(batch.id);
    seen.add(batch.id);
    if (!isNew) repeated += batch.scans.length;
    for (const [index, scan] of batch.scans.entries()) {
      if (!isNew) break;
      if (existingCodes.has(scan.qrCodeId)) classifications[start + index] = classes.counted;
      else deleted++;
    }
    start += batch.scans.length;
  }
  return { classifications, scans, repeated, deleted };
}
