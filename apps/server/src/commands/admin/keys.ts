import { parseArgs } from 'node:util';
import type { Mode } from '../../kernel/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import { formatId, type Uuid } from '../../kernel/ids.ts';
import { requireId, usageError } from './arguments.ts';
import type { AdminCommand, AdminContext } from './context.ts';
import { findAccountId } from './users.ts';

export const keyUsage = `signpost admin create-key ACCOUNT|EMAIL live|test [--unconfirmed]
                                         for an account, or for the one of a person; with --unconfirmed, a live key even if the owner's e-mail is not confirmed
signpost admin list-keys ACCOUNT|EMAIL
signpost admin revoke-key KEY            when the command returns, the key works nowhere`;

export const createKey: AdminCommand = async (args, context) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { unconfirmed: { type: 'boolean', default: false } },
  });
  const [account = '', mode] = positionals;
  if (mode !== 'live' && mode !== 'test') throw usageError('Say whether the key is live or test.', keyUsage);
  const id = await findAccountId(account, keyUsage, context.engines);
  await printNewKey(id, mode, context, values.unconfirmed);
  context.print('The key is shown only once. Keep it safe.');
};

export async function printNewKey(
  accountId: Uuid,
  mode: Mode,
  { accounts, print }: AdminContext,
  unconfirmed = false,
): Promise<void> {
  const { stored, key } = await accounts.createKey(
    accountId,
    mode,
    unconfirmed ? { refuseHeld: null } : { refuseHeld: heldAccount },
  );
  print(`${mode} key ${formatId('key', stored.id)}  ${key.text}`);
}

const heldAccount = () =>
  new AppError(
    'forbidden',
    'This account gets no live key until its owner confirms their e-mail address. Ask them to open the link in their mail, or run signpost admin confirm-email EMAIL. To create the key anyway, add --unconfirmed.',
  );

export const listKeys: AdminCommand = async ([account = ''], { accounts, engines, print }) => {
  for (const key of await accounts.keys(await findAccountId(account, keyUsage, engines))) {
    const { id, mode, hint, createdAt, revokedAt } = key;
    const state = revokedAt ? `revoked ${revokedAt.toISOString()}` : 'active';
    print(`${formatId('key', id)}  sk_${mode}_…${hint}  ${createdAt.toISOString()}  ${state}`);
  }
};

export const revokeKey: AdminCommand = async ([key = ''], { accounts, print }) => {
  await accounts.revokeKey(requireId('key', key, keyUsage));
  print(`${key} is revoked.`);
};
