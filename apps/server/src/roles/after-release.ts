import { formatId } from '../kernel/ids.ts';
import type { OperatorAccount, OperatorCode } from '../suspensions/suspension.ts';

/** Whether a code works that is no longer suspended, and if not, why. */
export function afterRelease({ account, status, suspended }: OperatorCode): string {
  const id = formatId('acct', account.id);
  if (status === 'deleted') return 'It was deleted: its link leads nowhere.';
  if (suspended) return 'It is still suspended: signpost admin who shows for what.';
  if (account.suspended)
    return `Its link stays stopped: its account is suspended (signpost admin release-account ${id}).`;
  if (account.held)
    return 'Its link stays stopped until somebody of its account confirms their e-mail address.';
  if (status === 'active') return 'Its link sends people on again.';
  return `Its link sends nobody on: the code is ${status === 'paused' ? 'paused' : 'a draft'}, and its owner can set it active.`;
}

/** The same of the links of an account. */
export function afterAccountRelease({ account, suspendedCodes }: OperatorAccount): string {
  if (account.held)
    return 'Its links stay stopped until somebody of the account confirms their e-mail address.';
  if (suspendedCodes === 0) return 'Its links send people on again as their owner has set them.';
  const number = suspendedCodes.toLocaleString('en');
  return suspendedCodes === 1
    ? '1 code stays suspended by itself. The other links send people on again as their owner has set them.'
    : `${number} codes stay suspended by themselves. The other links send people on again as their owner has set them.`;
}
