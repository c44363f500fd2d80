import { createKeyInvalidator } from '../accounts/key-cache.ts';
import { createAccounts } from '../accounts/service.ts';
import { createAccountStore } from '../accounts/store.ts';
import type { Config } from '../config/config.ts';
import { createIds } from '../kernel/ids.ts';
import type { Print } from '../kernel/print.ts';
import { tokenEnder } from '../roles/links.ts';
import { accountUsage, createAccount, listAccounts, setLimits, setPlan } from './admin/accounts.ts';
import { usageError } from './admin/arguments.ts';
import { blockHost, listBlockedHosts, unblockHost } from './admin/block-host.ts';
import { closeAccount, closeAccountUsage } from './admin/close-account.ts';
import type { AdminCommand } from './admin/context.ts';
import { addDomain, domainUsage, listDomains, removeDomain, setDomain } from './admin/domains.ts';
import { createKey, keyUsage, listKeys, revokeKey } from './admin/keys.ts';
import { listSuspensions } from './admin/list-suspensions.ts';
import { importBlockList, listBlockLists, listUsage, removeBlockList } from './admin/lists.ts';
import { moderationUsage } from './admin/moderation.ts';
import { pauseCode } from './admin/pause-code.ts';
import { releaseAccount, releaseCode } from './admin/release.ts';
import { listSpreads, setSpread, spreadUsage } from './admin/spread.ts';
import { suspendAccount, suspendCode } from './admin/suspend.ts';
import { confirmEmail, createUser, listUsers, resetLink, setOperator, userUsage } from './admin/users.ts';
import { who } from './admin/who.ts';
import { withEngines } from './with-engines.ts';

export const adminUsage = [
  accountUsage,
  keyUsage,
  closeAccountUsage,
  userUsage,
  moderationUsage,
  listUsage,
  domainUsage,
  spreadUsage,
].join('\n');

const commands: ReadonlyMap<string, AdminCommand> = new Map([
  ['create-account', createAccount],
  ['list-accounts', listAccounts],
  ['set-plan', setPlan],
  ['set-limits', setLimits],
  ['create-key', createKey],
  ['list-keys', listKeys],
  ['revoke-key', revokeKey],
  ['close-account', closeAccount],
  ['create-user', createUser],
  ['list-users', listUsers],
  ['set-operator', setOperator],
  ['confirm-email', confirmEmail],
  ['reset-link', resetLink],
  ['who', who],
  ['suspend-code', suspendCode],
  ['suspend-account', suspendAccount],
  ['release-code', releaseCode],
  ['release-account', releaseAccount],
  ['list-suspensions', listSuspensions],
  ['block-host', blockHost],
  ['unblock-host', unblockHost],
  ['list-blocked-hosts', listBlockedHosts],
  ['pause-code', pauseCode],
  ['import-list', importBlockList],
  ['list-lists', listBlockLists],
  ['remove-list', removeBlockList],
  ['add-domain', addDomain],
  ['set-domain', setDomain],
  ['list-domains', listDomains],
  ['remove-domain', removeDomain],
  ['set-spread', setSpread],
  ['list-spreads', listSpreads],
]);

/** The operator's commands. They work on the stores directly, so they need the settings of a server but no server. */
export async function runAdmin(
  [name, ...args]: readonly string[],
  config: Config,
  print: Print,
): Promise<void> {
  const command = commands.get(name ?? '');
  if (!command) throw usageError(name ? `There is no command ${name}.` : 'Name a command.', adminUsage);
  await withEngines(config, print, async engines => {
    const { db, clock } = engines;
    const accounts = createAccounts({
      store: createAccountStore(db),
      keyInvalidator: createKeyInvalidator(tokenEnder(engines)),
      ids: createIds(clock),
      clock,
    });
    await command(args, { accounts, engines, print });
  });
}
