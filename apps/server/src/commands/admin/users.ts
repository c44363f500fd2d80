import { parseArgs } from 'node:util';
import { type Role, roles } from '@signpost/contract';
import { createKeyInvalidator } from '../../accounts/key-cache.ts';
import { createIds, formatId, type Uuid } from '../../kernel/ids.ts';
import { escapeControlCharacters, type Print } from '../../kernel/print.ts';
import type { StopNotifier } from '../../redirect/changes/stops/stop.ts';
import { type AdminEngines, tokenEnder, withLinks } from '../../roles/links.ts';
import { createReleaseHeldAccounts, type ReleaseHeldAccounts } from '../../users/held-accounts.ts';
import { removeTokenFile, toTokenFilePath } from '../../users/operators/operator-token-file.ts';
import { operatorPlan } from '../../users/operators/operators.ts';
import { createUserAdmin, type UserAdmin } from '../../users/operators/user-admin.ts';
import { parseLimit, requireId, usageError } from './arguments.ts';
import type { AdminCommand, AdminContext } from './context.ts';

export const userUsage = `signpost admin create-user EMAIL [--name NAME] [--operator] [--plan PLAN] [--unconfirmed]
                                         a person with an account; prints a link to set their password
signpost admin create-user EMAIL --account ACCOUNT --role owner|admin|editor|viewer [--name NAME] [--unconfirmed]
                                         adds a person to an account, whatever its plan includes; prints a link to set
                                         their password if they are new. With --unconfirmed, even if an existing
                                         person's e-mail address is not confirmed
signpost admin list-users [--after EMAIL] [--limit N]
signpost admin set-operator EMAIL [on|off] [--unconfirmed]
                                         who runs this installation; the last operator cannot be removed. With
                                         --unconfirmed, even if the e-mail address is not confirmed
signpost admin confirm-email EMAIL       marks the e-mail address as confirmed, and releases the account that waited for it
signpost admin reset-link EMAIL          prints a link to set a new password; it works once, within an hour`;

export const createUser: AdminCommand = async (args, { accounts, engines, print }) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      plan: { type: 'string' },
      operator: { type: 'boolean', default: false },
      account: { type: 'string' },
      role: { type: 'string' },
      unconfirmed: { type: 'boolean', default: false },
    },
  });
  const [email = ''] = positionals;
  const { name, operator: isOperator, unconfirmed, account, role: roleInAccount } = values;
  if (account !== undefined || roleInAccount !== undefined) {
    if (isOperator || values.plan !== undefined)
      throw usageError('--operator and --plan are for a person with a new account.', userUsage);
    const accountId = requireId('acct', account ?? '', userUsage);
    const role = requireRole(roleInAccount);
    const { link } = await openUserAdmin(engines).addToAccount({ email, name, accountId, role, unconfirmed });
    print(`${role}  ${email.toLowerCase()}  account ${formatId('acct', accountId)}`);
    printLink(link, print);
    return;
  }
  const plan = values.plan ?? (isOperator ? operatorPlan : engines.config.defaultPlan);
  await accounts.requirePlan(plan);
  const created = await openUserAdmin(engines).create({ email, name, plan, isOperator, unconfirmed });
  if (isOperator) await removeOperatorToken(engines);
  const role = isOperator ? 'operator' : 'user';
  print(`${role}  ${email.toLowerCase()}  account ${formatId('acct', created.accountId)}  (${plan})`);
  printLink(created.link, print);
};

export const listUsers: AdminCommand = async (args, { engines, print }) => {
  const { values } = parseArgs({
    args: [...args],
    options: { after: { type: 'string' }, limit: { type: 'string' } },
  });
  const limit = parseLimit(values.limit, userUsage);
  for (const user of await openUserAdmin(engines).list(values.after ?? '', limit)) {
    const kind = user.isOperator ? 'operator' : 'user';
    const accounts = user.accounts.map(({ id, role }) => `${formatId('acct', id)} ${role}`);
    const email = user.emailVerified ? user.email : `${user.email} (unconfirmed)`;
    print(
      escapeControlCharacters(
        `${kind.padEnd(8)}  ${user.createdAt.toISOString()}  ${accounts.join(', ') || 'no account'}  ${email}  ${user.name}`,
      ),
    );
  }
};

export const setOperator: AdminCommand = async (args, { engines, print }) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { unconfirmed: { type: 'boolean', default: false } },
  });
  const [email = '', onOrOff = 'on'] = positionals;
  if (onOrOff !== 'on' && onOrOff !== 'off')
    throw usageError('Say on or off after the e-mail address.', userUsage);
  const isOperator = onOrOff === 'on';
  const changed = await openUserAdmin(engines).setOperator(email, isOperator, values.unconfirmed);
  if (isOperator) await removeOperatorToken(engines);
  const state = isOperator ? 'an operator' : 'no operator';
  print(`${email.toLowerCase()} ${changed ? 'is now' : 'was already'} ${state}.`);
  if (changed && isOperator)
    print('The account keeps its plan: signpost admin set-plan ACCOUNT PLAN changes it.');
};

export const confirmEmail: AdminCommand = async ([email = ''], { engines, print }) => {
  const { changed, released } = await withLinks(engines, print, stops =>
    openUserAdmin(engines, stops).confirmEmail(email),
  );
  print(`${email.toLowerCase()} ${changed ? 'is now' : 'was already'} confirmed.`);
  if (released > 0) print('Their short links work now, and they can create live keys.');
};

export const resetLink: AdminCommand = async ([email = ''], { engines, print }) =>
  printLink(await openUserAdmin(engines).resetLink(email), print);

type OwnedAccount = {
  readonly name: string;
  readonly owner: string;
  readonly plan: string;
  readonly isOperator: boolean;
  readonly unconfirmed: boolean;
};

/** An account for a new person, or another one of somebody who exists. */
export async function createOwnedAccount(
  { name, owner, plan, isOperator, unconfirmed }: OwnedAccount,
  { accounts, engines, print }: AdminContext,
): Promise<Uuid> {
  await accounts.requirePlan(plan);
  const options = { email: owner, accountName: name, plan, isOperator, unconfirmed, another: true };
  const { accountId, link } = await openUserAdmin(engines).create(options);
  if (isOperator) await removeOperatorToken(engines);
  const role = isOperator ? 'operator' : 'owner';
  print(`account  ${formatId('acct', accountId)}  ${name}  (${plan})  ${role} ${owner.toLowerCase()}`);
  printLink(link, print);
  return accountId;
}

/** An account by its id, or by the e-mail address of somebody who has no other. */
export const findAccountId = (text: string, usage: string, engines: AdminEngines): Promise<Uuid> =>
  text.includes('@')
    ? openUserAdmin(engines).findAccountId(text)
    : Promise.resolve(requireId('acct', text, usage));

/** Redirects are notified only when an address is confirmed: no other change of a person stops or releases links. */
function openUserAdmin(engines: AdminEngines, stops?: StopNotifier): UserAdmin {
  const { db, clock, config } = engines;
  const keyInvalidator = createKeyInvalidator(tokenEnder(engines));
  const releaseHeldAccounts: ReleaseHeldAccounts = stops
    ? createReleaseHeldAccounts({ clock, stops, keyInvalidator })
    : async () => 0;
  const { publicUrl, smtpUrl } = config;
  const sendsMail = smtpUrl !== '';
  return createUserAdmin({ db, ids: createIds(clock), clock, publicUrl, sendsMail, releaseHeldAccounts });
}

/** Once there is an operator, the token on this machine does nothing. Servers on other machines remove their own. */
const removeOperatorToken = ({ config }: AdminEngines): Promise<void> =>
  removeTokenFile(toTokenFilePath(config.spoolDir)).catch(() => undefined);

function requireRole(text = ''): Role {
  const role = roles.find(known => known === text);
  if (role) return role;
  throw usageError(`Say what the person will be: --role ${roles.join('|')}.`, userUsage);
}

function printLink(link: string | null, print: Print): void {
  if (link === null) {
    print('They sign in as before.');
    return;
  }
  print(`Set the password here, within an hour: ${link}`);
  print('Anyone with this link can sign in. Send it only to them.');
}
