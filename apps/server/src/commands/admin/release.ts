import { formatId } from '../../kernel/ids.ts';
import { findAccount, findCodes } from '../../moderation/suspensions/operator-view.ts';
import type { OperatorAccount, OperatorCode } from '../../moderation/suspensions/suspension.ts';
import { requireId } from './arguments.ts';
import type { AdminCommand } from './context.ts';
import { moderationUsage, requireCode, startTimer, withModeration } from './moderation.ts';

export const releaseCode: AdminCommand = async ([target = ''], context) => {
  const { engines, print } = context;
  const { linkNames } = engines;
  const { name, shown } = await requireCode(target, engines);
  await withModeration(context, async ({ suspensions }) => {
    const elapsed = startTimer();
    await suspensions.releaseCode(engines.db, { name });
    print(`${shown} is released on all redirects (${elapsed()}).`);
    const [code] = await findCodes(engines.db, name, linkNames);
    print(code ? describeReleasedCode(code) : '');
  });
};

export const releaseAccount: AdminCommand = async ([target = ''], context) => {
  const { engines, print } = context;
  const id = requireId('acct', target, moderationUsage);
  await withModeration(context, async ({ suspensions }) => {
    const elapsed = startTimer();
    await suspensions.releaseAccount(engines.db, id);
    print(`${target} is released on all redirects (${elapsed()}).`);
    const account = await findAccount(engines.db, id);
    print(account ? describeReleasedAccount(account) : '');
  });
};

/** Whether the link of a released code works, and if not, why. */
function describeReleasedCode({ account, status, suspended }: OperatorCode): string {
  const id = formatId('acct', account.id);
  if (status === 'deleted') return 'The code was deleted, so its link leads nowhere.';
  if (suspended) return 'It is still suspended for another reason: signpost admin who shows which.';
  if (account.suspended)
    return `Its link stays stopped: its account is suspended (signpost admin release-account ${id}).`;
  if (account.held) return "Its link stays stopped until the account's owner confirms their e-mail address.";
  if (status === 'active') return 'Its link works again.';
  return `Its link does not work yet: the code is ${status === 'paused' ? 'paused' : 'a draft'}, and its owner can set it active.`;
}

function describeReleasedAccount({ account, suspendedCodes }: OperatorAccount): string {
  if (account.held) return "Its links stay stopped until the account's owner confirms their e-mail address.";
  if (suspendedCodes === 0) return 'Its active codes work again.';
  return suspendedCodes === 1
    ? '1 code stays suspended by itself. The other active codes work again.'
    : `${suspendedCodes.toLocaleString('en')} codes stay suspended by themselves. The other active codes work again.`;
}
