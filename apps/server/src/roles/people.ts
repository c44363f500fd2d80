import { parseArgs } from 'node:util';
import { createKeyForgetter } from '../accounts/key-cache.ts';
import type { Accounts } from '../accounts/service.ts';
import { AppError } from '../kernel/errors.ts';
import { createIds, formatId, type Uuid } from '../kernel/ids.ts';
import { tokenKey } from '../limits/rate-limiter.ts';
import type { StopTeller } from '../stops/stop.ts';
import { removeTokenFile, tokenFileOf } from '../users/operator-token-file.ts';
import { operatorPlan } from '../users/operators.ts';
import { createRelease, type Release } from '../users/release.ts';
import { createUserAdmin, type UserAdmin } from '../users/user-admin.ts';
import { type AdminEngines, withLinks } from './links.ts';
import { inOneLine, type Print } from './print.ts';

export const peopleUsage = `signpost admin create-user EMAIL [--name NAME] [--operator] [--plan PLAN] [--unconfirmed]
                                         somebody who signs in, with an account; prints a link to set the password
signpost admin list-users [--after EMAIL] [--limit N]
signpost admin set-operator EMAIL [on|off] [--unconfirmed]
                                         who runs this installation; the last operator stays. --unconfirmed: also
                                         somebody who has not confirmed the e-mail address
signpost admin confirm-email EMAIL       marks the e-mail address as confirmed, and releases the account that waited for it
signpost admin reset-link EMAIL          prints a link to set a new password, good for an hour and once`;

const commands = ['create-user', 'list-users', 'set-operator', 'confirm-email', 'reset-link'];

export const isPeopleCommand = (command: string | undefined): boolean => commands.includes(command ?? '');

/** What the operator does for people. It needs no server and no secret: a link sets the password. */
export async function runPeople(
  args: readonly string[],
  accounts: Accounts,
  engines: AdminEngines,
  print: Print,
): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      plan: { type: 'string' },
      operator: { type: 'boolean', default: false },
      unconfirmed: { type: 'boolean', default: false },
      after: { type: 'string' },
      limit: { type: 'string' },
    },
  });
  const [command, email = '', onOrOff = 'on'] = positionals;
  const { unconfirmed } = values;
  const users = userAdminOf(engines);
  switch (command) {
    case 'create-user': {
      const plan = values.plan ?? (values.operator ? operatorPlan : engines.config.defaultPlan);
      await accounts.requirePlan(plan);
      const made = await users.create({
        email,
        name: values.name,
        plan,
        isOperator: values.operator,
        unconfirmed,
      });
      if (values.operator) await endToken(engines);
      const what = values.operator ? 'operator' : 'user';
      print(`${what}  ${email.toLowerCase()}  account ${formatId('acct', made.accountId)}  (${plan})`);
      printLink(made.link, print);
      return;
    }
    case 'list-users': {
      const limit = Number(values.limit ?? 100);
      if (!Number.isInteger(limit) || limit < 1) throw usage('--limit must be a whole number above 0.');
      for (const user of await users.list(values.after ?? '', limit)) {
        const role = user.isOperator ? 'operator' : 'user';
        const ids = user.accountIds.map(id => formatId('acct', id)).join(' ') || 'no account';
        const email = user.emailVerified ? user.email : `${user.email} (unconfirmed)`;
        const line = `${role.padEnd(8)}  ${user.createdAt.toISOString()}  ${ids}  ${email}  ${user.name}`;
        print(inOneLine(line));
      }
      return;
    }
    case 'set-operator': {
      if (onOrOff !== 'on' && onOrOff !== 'off') throw usage('Say on or off behind the e-mail.');
      const changed = await users.setOperator(email, onOrOff === 'on', unconfirmed);
      if (onOrOff === 'on') await endToken(engines);
      const state = onOrOff === 'on' ? 'an operator' : 'no operator';
      print(`${email.toLowerCase()} ${changed ? 'is now' : 'was already'} ${state}.`);
      if (changed && onOrOff === 'on')
        print('The account keeps its plan: signpost admin set-plan ACCOUNT PLAN changes it.');
      return;
    }
    case 'confirm-email': {
      const { changed, released } = await withLinks(engines, print, stops =>
        userAdminOf(engines, stops).confirmEmail(email),
      );
      print(`${email.toLowerCase()} ${changed ? 'is now' : 'was already'} confirmed.`);
      if (released > 0) print('Their short links work now, and they can make live keys.');
      return;
    }
    default:
      printLink(await users.resetLink(email), print);
  }
}

/** An account whose owner is named: somebody new, or somebody who has none. */
export async function createOwnedAccount(
  name: string,
  owner: string,
  plan: string,
  unconfirmed: boolean,
  { accounts, engines, print }: { accounts: Accounts; engines: AdminEngines; print: Print },
): Promise<Uuid> {
  await accounts.requirePlan(plan);
  const wanted = { email: owner, accountName: name, plan, isOperator: false, unconfirmed };
  const { accountId, link } = await userAdminOf(engines).create(wanted);
  print(`account  ${formatId('acct', accountId)}  ${name}  (${plan})  ${owner.toLowerCase()}`);
  printLink(link, print);
  return accountId;
}

/** Only who confirms an address has to tell redirects. */
function userAdminOf({ db, redis, clock, config }: AdminEngines, stops?: StopTeller): UserAdmin {
  const forgetter = createKeyForgetter(redis, tokenKey, 1000);
  const release: Release = stops ? createRelease({ clock, stops, forgetter }) : async () => 0;
  const { publicUrl, smtpUrl } = config;
  return createUserAdmin({
    db,
    ids: createIds(clock),
    clock,
    publicUrl,
    sendsMail: smtpUrl !== '',
    release,
  });
}

/** With an operator the token of this machine does nothing more. Servers elsewhere remove theirs by themselves. */
const endToken = ({ config }: AdminEngines): Promise<void> =>
  removeTokenFile(tokenFileOf(config.spoolDir)).catch(() => undefined);

function printLink(link: string | null, print: Print): void {
  if (link === null) {
    print('They sign in as before.');
    return;
  }
  print(`Set the password here, within an hour: ${link}`);
  print('Anyone with this link can sign in. Send it only to them.');
}

const usage = (reason: string) => new AppError('invalid_request', `${reason}\n\n${peopleUsage}`);
