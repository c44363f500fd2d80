import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';

/** Who owns codes and keys, and on which plan. */
export type Account = {
  readonly id: Uuid;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
};

/** A key as it can be shown again: all but the key itself. */
export type StoredKey = {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** What it is for, in its owner's words. */
  readonly name: string;
  readonly hint: string;
  readonly createdAt: Date;
  /** Right to a minute or two. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
};
