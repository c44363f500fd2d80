import type { Mode } from '../../kernel/caller.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { ReleasedCode } from './suspension.ts';

/** A code that a statement has released. */
export type ReleasedRow = {
  readonly id: Uuid;
  readonly account_id: Uuid;
  readonly mode: Mode;
  readonly key: string;
  readonly reason: string;
  /** For another reason. A suspended account has its own events. */
  readonly still_suspended: boolean;
};

export const releasedCodes = (rows: readonly ReleasedRow[], releasedAt: Date): ReleasedCode[] =>
  rows
    .filter(row => !row.still_suspended)
    .map(({ id: qrCodeId, account_id: accountId, mode, reason }) => ({
      qrCodeId,
      accountId,
      mode,
      reason,
      releasedAt,
    }));

/**
 * Follows a common table expression `changed` with `id`, `qr_code_id` and `reason` of suspensions that were just released.
 * Selects each code once. A statement does not see its own changes, so these are excluded by their ids.
 */
export const selectReleased = `select distinct on (c.id) c.id, c.account_id, c.mode, link_key as key, changed.reason,
          exists (select from suspensions s
                   where s.qr_code_id = c.id and s.released_at is null
                     and s.id not in (select id from changed)) as still_suspended
     from changed join qr_codes c on c.id = changed.qr_code_id order by c.id`;
