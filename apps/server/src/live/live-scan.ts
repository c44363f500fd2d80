import type { StoredScan } from '../analytics/analytics.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Place } from './cursor.ts';

/** A scan that has just been stored, with its code and its place in the log. */
export type LiveScan = StoredScan & Place & { readonly shard: number; readonly qrCodeId: Uuid };
