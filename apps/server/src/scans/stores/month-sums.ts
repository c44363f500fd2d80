import type { Mode } from '../../kernel/caller.ts';
import type { Uuid } from '../../kernel/ids.ts';

/** What a store holds of a code and month. `check` differs if a row is missing, doubled or another one, with near certainty. */
export type CodeSum = {
  readonly qrCodeId: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly scans: number;
  readonly uniques: number;
  readonly check: number;
};

/** The same SQL in both stores. */
export const rowCheck = '(visitor_number * 31 + position * 7 + place) % 1000003';
