import type { Scan } from '../../scans/scan.ts';
import type { ScanRow } from '../../scans/stores/scan-row.ts';
import { type Counted, classes, type Group, groupName } from '../ingest.ts';

/** The rows of a group. Deterministic: everything besides the log that they depend on is stored with the group. */
export function toRows(group: Group, { classifications, numbers }: Counted): ScanRow[] {
  const rows: ScanRow[] = [];
  let index = 0;
  for (const { position, batch } of group.entries) {
    for (const [indexInBatch, scan] of batch.scans.entries()) {
      const classification = classifications[index];
      const number = numbers[index++]!;
      if (classification !== classes.skipped)
        rows.push(toRow(scan, number, classification === classes.unique, group, position, indexInBatch));
    }
  }
  return rows;
}

function toRow(
  scan: Scan,
  visitorNumber: number,
  isUnique: boolean,
  { shard, log }: Group,
  position: number,
  indexInBatch: number,
): ScanRow {
  return [
    scan.id,
    scan.accountId,
    scan.qrCodeId,
    // Both stores read seconds with three decimals unambiguously.
    (scan.atMs / 1_000).toFixed(3),
    scan.mode,
    scan.country,
    scan.region,
    scan.city,
    scan.device,
    scan.browser,
    scan.visitor,
    visitorNumber,
    scan.window,
    isUnique ? 1 : 0,
    shard,
    log,
    position,
    indexInBatch,
    scan.ruleId,
    scan.targetId,
    scan.placement,
    scan.language,
  ] as readonly (string | number)[] as ScanRow;
}

/** The deduplication token of the insert of a group. */
export const toInsertToken = (group: Group) => `scans-${groupName(group)}`;
