import type { StoredScan } from '../analytics/analytics.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { ScanPosition } from './cursor.ts';

/** A scan that has just been stored, with its code and its position in the log. */
export type LiveScan = StoredScan & ScanPosition & { readonly shard: number; readonly qrCodeId: Uuid };
