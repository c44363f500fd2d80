import type { Uuid } from '../kernel/ids.ts';
import type { Scan } from '../scans/scan.ts';
import { type Group, scansOf, type Verdicts, verdicts } from './ingest.ts';

/** What becomes of the scans of a group. Which of the kept ones are unique is for PostgreSQL to say. */
export type Judged = {
  readonly result: Verdicts;
  /** All scans of the group in the order of the log; the index is that of the verdict. */
  readonly scans: readonly Scan[];
  readonly repeated: number;
  readonly dead: number;
};

/** Decides which scans of a group are kept: those of batches that are new, once each, and of codes that live. */
export function judge(group: Group, fresh: ReadonlySet<Uuid>, living: ReadonlySet<Uuid>): Judged {
  const scans = scansOf(group);
  const result = Buffer.alloc(scans.length, verdicts.leftOut);
  const seen = new Set<Uuid>();
  let [at, repeated, dead] = [0, 0, 0];
  for (const { batch } of group.entries) {
    const isNew = fresh.has(batch.id) && !seen.has(batch.id);
    seen.add(batch.id);
    if (!isNew) repeated += batch.scans.length;
    for (const [place, scan] of batch.scans.entries()) {
      if (!isNew) break;
      if (living.has(scan.qrCodeId)) result[at + place] = verdicts.kept;
      else dead++;
    }
    at += batch.scans.length;
  }
  return { result, scans, repeated, dead };
}
