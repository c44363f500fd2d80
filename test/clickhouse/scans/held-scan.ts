import { atColumn, type ScanRow, scanColumns } from '../../../apps/server/src/scans/stores/scan-row.ts';

type NumberColumn = 'visitor_number' | 'is_unique' | 'shard' | 'log_number' | 'position' | 'place';
type TextColumn = Exclude<keyof typeof scanColumns, NumberColumn>;

/** A row as it was sent, by the names of its columns. */
export type HeldScan = { readonly [Name in TextColumn]: string } & {
  readonly [Name in NumberColumn]: number;
} & { readonly atMs: number };

const names = Object.keys(scanColumns);

export function toHeld(row: ScanRow): HeldScan {
  const values = Object.fromEntries(names.map((name, index) => [name, row[index]]));
  return { ...values, atMs: Math.round(1000 * Number(row[atColumn])) } as HeldScan;
}

export const monthOf = ({ atMs }: HeldScan): string => new Date(atMs).toISOString().slice(0, 7);
