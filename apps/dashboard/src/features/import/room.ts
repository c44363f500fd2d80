import type { Mode } from '../../api/mode.ts';
import type { Account as OwnAccount } from '../shell/me.ts';

type Account = Pick<
  OwnAccount,
  | 'code_quota'
  | 'quota_scope'
  | 'codes_used'
  | 'session_codes'
  | 'session_codes_used'
  | 'test_codes'
  | 'test_codes_used'
>;

/** How many more codes the dashboard may make in this mode; infinite where nothing limits it. */
export function roomFor(account: Account, mode: Mode): number {
  if (mode === 'test') return left(account.test_codes, account.test_codes_used);
  const pool = account.quota_scope === 'pool' ? left(account.code_quota, account.codes_used) : Infinity;
  return Math.min(pool, left(account.session_codes, account.session_codes_used));
}

const left = (most: number | null, used: number): number =>
  most === null ? Infinity : Math.max(0, most - used);
