import type { Uuid } from '../kernel/ids.ts';
import type { Place } from './cursor.ts';

/** A scan that has just been stored, with its place in the log. */
export type LiveScan = Place & {
  readonly shard: number;
  readonly id: Uuid;
  readonly qrCodeId: Uuid;
  readonly at: Date;
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly device: string;
  readonly browser: string;
  readonly isUnique: boolean;
};
