import { parseArgs } from 'node:util';
import { createKeyForgetter } from '../accounts/key-cache.ts';
import { type Accounts, createAccounts } from '../accounts/service.ts';
import { createAccountStore } from '../accounts/store.ts';
import type { Config } from '../config.ts';
import { type Mode, modes } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { createIds, formatId, type IdPrefix, parseId, type Uuid } from '../kernel/ids.ts';
import { tokenKey } from '../limits/rate-limiter.ts';
import { measuredClock } from '../platform/database-clock.ts';
import { createPostgres } from '../platform/postgres.ts';
import { createRedis } from '../platform/redis.ts';
import { abuseUsage, isAbuseCommand, runAbuse } from './abuse.ts';
import { closeAccount } from './closing.ts';
import type { AdminEngines } from './links.ts';
import { isListCommand, listUsage, runLists } from './lists.ts';
import { createOwnedAccount, isPeopleCommand, peopleUsage, runPeople } from './people.ts';
import { inOneLine, type Print } from './print.ts';
import { requireForAdmin } from './starting.ts';

export const adminUsage = `signpost admin create-account NAME [--owner EMAIL] [--plan free|pro|business|enterprise] [--unconfirmed]
                                         a new account, with a live and a test key, shown once; with --owner somebody
                                         signs in to it, and a link to set the password is printed
signpost admin list-accounts [--after ID] [--limit N]
signpost admin set-plan ACCOUNT PLAN
signpost admin create-key ACCOUNT live|test [--unconfirmed]
                                         --unconfirmed: also a live key of an account that waits for a confirmed address
signpost admin list-keys ACCOUNT
signpost admin revoke-key KEY            when it answers, the key no longer works anywhere
signpost admin close-account ACCOUNT [--yes]
                                         deletes its codes, scans, keys, webhooks and people; without --yes it only
                                         shows whose it is
${peopleUsage}
${abuseUsage}
${listUsage}`;

/** The operator's commands. They work on the stores directly, so they need the settings of a server but no server. */
export async function runAdmin(args: readonly string[], config: Config, print: Print): Promise<void> {
  await requireForAdmin(config, print);
  const db = createPostgres(config, () => {});
  const redis = createRedis(config, () => {});
  // Without this the first command could find a client that has not yet connected.
  await new Promise<void>(resolve => {
    redis.once('ready', resolve);
    redis.once('error', () => resolve());
  });
  const clock = await measuredClock(db);
  const accounts = createAccounts({
    store: createAccountStore(db),
    forgetter: createKeyForgetter(redis, tokenKey, 1000),
    ids: createIds(clock),
    clock,
  });
  try {
    const engines = { config, db, redis, clock };
    if (isAbuseCommand(args[0])) await runAbuse(args, engines, print);
    else if (isListCommand(args[0])) await runLists(args, engines, print);
    else if (isPeopleCommand(args[0])) await runPeople(args, accounts, engines, print);
    else await dispatch(args, accounts, engines, print);
  } finally {
    redis.disconnect();
    await db.close();
  }
}

async function dispatch(
  args: readonly string[],
  accounts: Accounts,
  engines: AdminEngines,
  print: Print,
): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      plan: { type: 'string' },
      owner: { type: 'string' },
      after: { type: 'string' },
      limit: { type: 'string' },
      yes: { type: 'boolean', default: false },
      unconfirmed: { type: 'boolean', default: false },
    },
  });
  const [command, first = '', second = ''] = positionals;
  switch (command) {
    case 'create-account': {
      if (first.trim() === '') throw usage('Give the account a name.');
      const id = await createAccount(first, values, accounts, engines, print);
      for (const mode of modes) await printNewKey(accounts, id, mode, print);
      print('These keys are shown this once. Keep them safe.');
      return;
    }
    case 'list-accounts': {
      const limit = Number(values.limit ?? 100);
      if (!Number.isInteger(limit) || limit < 1) throw usage('--limit must be a whole number above 0.');
      const list = await accounts.list(values.after ? idOf('acct', values.after) : null, limit);
      for (const { id, plan, createdAt, closedAt, name } of list) {
        const last = closedAt ? `closed ${closedAt.toISOString()}` : inOneLine(name);
        print(`${formatId('acct', id)}  ${plan.padEnd(10)}  ${createdAt.toISOString()}  ${last}`);
      }
      return;
    }
    case 'set-plan':
      await accounts.setPlan(idOf('acct', first), second);
      print(`${first} is on the ${second} plan.`);
      return;
    case 'create-key':
      if (second !== 'live' && second !== 'test') throw usage('Say whether the key is live or test.');
      await printNewKey(accounts, idOf('acct', first), second, print, values.unconfirmed);
      print('The key is shown this once. Keep it safe.');
      return;
    case 'list-keys':
      for (const { id, mode, hint, createdAt, revokedAt } of await accounts.keys(idOf('acct', first))) {
        const state = revokedAt ? `revoked ${revokedAt.toISOString()}` : 'good';
        print(`${formatId('key', id)}  sk_${mode}_…${hint}  ${createdAt.toISOString()}  ${state}`);
      }
      return;
    case 'revoke-key':
      await accounts.revokeKey(idOf('key', first));
      print(`${first} is revoked.`);
      return;
    case 'close-account':
      return closeAccount(await accounts.get(idOf('acct', first)), values.yes, accounts, engines, print);
    default:
      throw usage(command ? `There is no command ${command}.` : 'Say what to do.');
  }
}

async function createAccount(
  name: string,
  {
    plan = 'free',
    owner,
    unconfirmed,
  }: {
    readonly plan?: string | undefined;
    readonly owner?: string | undefined;
    readonly unconfirmed: boolean;
  },
  accounts: Accounts,
  engines: AdminEngines,
  print: Print,
): Promise<Uuid> {
  if (owner !== undefined) {
    return createOwnedAccount(name, owner, plan, unconfirmed, { accounts, engines, print });
  }
  const account = await accounts.create(name, plan);
  print(`account  ${formatId('acct', account.id)}  ${account.name}  (${account.plan})`);
  return account.id;
}

async function printNewKey(
  accounts: Accounts,
  accountId: Uuid,
  mode: Mode,
  print: Print,
  unconfirmed = false,
): Promise<void> {
  const refuseHeld = unconfirmed ? null : heldAccount;
  const { stored, key } = await accounts.createKey(accountId, mode, undefined, undefined, refuseHeld);
  print(`${mode} key ${formatId('key', stored.id)}  ${key.text}`);
}

function idOf(prefix: IdPrefix, text: string): Uuid {
  const id = parseId(prefix, text);
  if (!id)
    throw usage(
      `${text === '' ? 'An id is missing' : `${text} is not ${prefix === 'acct' ? 'an account id' : 'an id'}`}. Ids look like ${prefix}_…; signpost admin ${prefix === 'key' ? 'list-keys ACCOUNT' : 'list-accounts'} shows them.`,
    );
  return id;
}

const heldAccount = () =>
  new AppError(
    'forbidden',
    'The account waits for its owner to confirm the e-mail address, and gets no live key until then. Ask them to open the link in their mail, or say signpost admin confirm-email EMAIL. To make the key all the same, add --unconfirmed.',
  );

const usage = (reason: string) => new AppError('invalid_request', `${reason}\n\n${adminUsage}`);
