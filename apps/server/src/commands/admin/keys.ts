import { parseArgs } from 'node:util';
import { type KeyPermission, keyPermissions, operatorPermission } from '@signpost/contract';
import { type KeyTerms, openTerms } from '../../accounts/key-terms.ts';
import type { Mode } from '../../kernel/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import { formatId, type Uuid } from '../../kernel/ids.ts';
import { parseMoment } from '../../kernel/moment.ts';
import { requireId, usageError } from './arguments.ts';
import type { AdminCommand, AdminContext } from './context.ts';
import { findAccountId } from './users.ts';

export const keyUsage = `signpost admin create-key ACCOUNT|EMAIL live|test [--unconfirmed] [--scopes SCOPE,…] [--expires TIME] [--cidrs NETWORK,…]
                                         for an account, or for the one of a person; with --unconfirmed, a live key even if the owner's e-mail is not confirmed;
                                         scopes limit what it may do (qrcodes:read,analytics:read), networks from where
signpost admin create-key --operator ACCOUNT|EMAIL [--expires TIME] [--cidrs NETWORK,…]
                                         a live key with which a platform creates accounts and manages them: POST /v1/accounts
signpost admin list-keys ACCOUNT|EMAIL
signpost admin revoke-key KEY            when the command returns, the key works nowhere`;

export const createKey: AdminCommand = async (args, context) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      unconfirmed: { type: 'boolean', default: false },
      operator: { type: 'boolean', default: false },
      scopes: { type: 'string' },
      expires: { type: 'string' },
      cidrs: { type: 'string' },
    },
  });
  const { operator: isOperator, scopes } = values;
  const [account = '', mode = isOperator ? 'live' : undefined] = positionals;
  if (mode !== 'live' && mode !== 'test') throw usageError('Say whether the key is live or test.', keyUsage);
  if (isOperator && (mode === 'test' || scopes !== undefined))
    throw usageError(
      'An operator key is live, and only manages accounts. Leave test and --scopes out.',
      keyUsage,
    );
  const id = await findAccountId(account, keyUsage, context.engines);
  await printNewKey(id, mode, context, {
    unconfirmed: values.unconfirmed,
    terms: parseTerms(values),
  });
  context.print('The key is shown only once. Keep it safe.');
};

export async function printNewKey(
  accountId: Uuid,
  mode: Mode,
  { accounts, print }: AdminContext,
  { unconfirmed = false, terms = openTerms }: { unconfirmed?: boolean; terms?: KeyTerms } = {},
): Promise<void> {
  const { stored, key } = await accounts.createKey(accountId, mode, {
    terms,
    refuseHeld: unconfirmed ? null : heldAccount,
  });
  print(`${mode} key ${formatId('key', stored.id)}  ${key.text}`);
}

type TermValues = {
  readonly [Name in 'scopes' | 'expires' | 'cidrs']?: string | undefined;
} & { readonly operator: boolean };

function parseTerms({ operator, scopes, expires, cidrs }: TermValues): KeyTerms {
  const toList = (text: string) => text.split(',').map(item => item.trim());
  const expiresAt = expires === undefined ? null : parseMoment(expires);
  if (expires !== undefined && !expiresAt)
    throw usageError(`--expires must be a day such as 2027-01-31 or a timestamp, not ${expires}.`, keyUsage);
  return {
    scopes: operator ? [operatorPermission] : scopes === undefined ? null : toList(scopes).map(requireScope),
    expiresAt: expiresAt?.at ?? null,
    allowedCidrs: cidrs === undefined ? null : toList(cidrs),
  };
}

function requireScope(text: string): KeyPermission {
  const scope = keyPermissions.find(known => known === text);
  if (scope) return scope;
  throw usageError(`There is no scope ${text}. Scopes: ${keyPermissions.join(', ')}.`, keyUsage);
}

const heldAccount = () =>
  new AppError(
    'forbidden',
    'This account gets no live key until its owner confirms their e-mail address. Ask them to open the link in their mail, or run signpost admin confirm-email EMAIL. To create the key anyway, add --unconfirmed.',
  );

export const listKeys: AdminCommand = async ([account = ''], { accounts, engines, print }) => {
  for (const key of await accounts.keys(await findAccountId(account, keyUsage, engines))) {
    const { id, mode, hint, createdAt, revokedAt, scopes, expiresAt, allowedCidrs } = key;
    const state = revokedAt ? `revoked ${revokedAt.toISOString()}` : 'active';
    const terms = [
      ...(scopes ? [`scopes ${scopes.join(',')}`] : []),
      ...(expiresAt ? [`expires ${expiresAt.toISOString()}`] : []),
      ...(allowedCidrs ? [`networks ${allowedCidrs.join(',')}`] : []),
    ];
    print(
      `${formatId('key', id)}  sk_${mode}_…${hint}  ${[createdAt.toISOString(), state, ...terms].join('  ')}`,
    );
  }
};

export const revokeKey: AdminCommand = async ([key = ''], { accounts, print }) => {
  await accounts.revokeKey(requireId('key', key, keyUsage));
  print(`${key} is revoked.`);
};
