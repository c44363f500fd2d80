import { parseArgs } from 'node:util';
import { modes } from '../../kernel/caller.ts';
import { formatId, type Uuid } from '../../kernel/ids.ts';
import { escapeControlCharacters } from '../../kernel/print.ts';
import { operatorPlan } from '../../users/operators/operators.ts';
import { parseLimit, requireId, usageError } from './arguments.ts';
import type { AdminCommand, AdminContext } from './context.ts';
import { printNewKey } from './keys.ts';
import { createOwnedAccount } from './users.ts';

export const accountUsage = `signpost admin create-account NAME [--owner EMAIL] [--operator] [--plan free|pro|business|enterprise] [--unconfirmed]
                                         a new account with a live and a test key, which are shown once; with --owner,
                                         a person signs in to it, who may have other accounts; a new person gets a link
                                         to set their password. With --operator, they run this installation, and their
                                         account is on the enterprise plan
signpost admin list-accounts [--after ID] [--limit N]
signpost admin set-plan ACCOUNT PLAN
signpost admin set-limits ACCOUNT [--requests-per-minute N] [--codes N] [--creations-per-minute N]
                                         limits of one account in place of its plan's; plan instead of N returns to the plan's`;

export const createAccount: AdminCommand = async (args, context) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      owner: { type: 'string' },
      operator: { type: 'boolean', default: false },
      plan: { type: 'string' },
      unconfirmed: { type: 'boolean', default: false },
    },
  });
  const [name = ''] = positionals;
  if (name.trim() === '') throw usageError('Give the account a name.', accountUsage);
  const { owner, operator: isOperator, unconfirmed } = values;
  if (isOperator && owner === undefined)
    throw usageError('An operator is a person: add --owner EMAIL.', accountUsage);
  const plan = values.plan ?? (isOperator ? operatorPlan : context.engines.config.defaultPlan);
  const id =
    owner === undefined
      ? await createPlainAccount(name, plan, context)
      : await createOwnedAccount({ name, owner, plan, isOperator, unconfirmed }, context);
  for (const mode of modes) await printNewKey(id, mode, context);
  context.print('These keys are shown only once. Keep them safe.');
};

async function createPlainAccount(
  name: string,
  plan: string,
  { accounts, print }: AdminContext,
): Promise<Uuid> {
  const account = await accounts.create(name, plan);
  print(`account  ${formatId('acct', account.id)}  ${account.name}  (${account.plan})`);
  return account.id;
}

export const listAccounts: AdminCommand = async (args, { accounts, print }) => {
  const { values } = parseArgs({
    args: [...args],
    options: { after: { type: 'string' }, limit: { type: 'string' } },
  });
  const after = values.after ? requireId('acct', values.after, accountUsage) : null;
  const list = await accounts.list(after, parseLimit(values.limit, accountUsage));
  for (const { id, plan, createdAt, closedAt, name } of list) {
    const nameOrState = closedAt ? `closed ${closedAt.toISOString()}` : escapeControlCharacters(name);
    print(`${formatId('acct', id)}  ${plan.padEnd(10)}  ${createdAt.toISOString()}  ${nameOrState}`);
  }
};

export const setPlan: AdminCommand = async ([account = '', plan = ''], { accounts, print }) => {
  await accounts.setPlan(requireId('acct', account, accountUsage), plan);
  print(`${account} is on the ${plan} plan.`);
};

const limitOptions = {
  'requests-per-minute': { type: 'string' },
  codes: { type: 'string' },
  'creations-per-minute': { type: 'string' },
} as const;

export const setLimits: AdminCommand = async (args, { accounts, print }) => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: limitOptions,
  });
  const [account = ''] = positionals;
  if (Object.keys(values).length === 0) throw usageError('Name at least one limit.', accountUsage);
  await accounts.setLimits(requireId('acct', account, accountUsage), {
    requestsPerMinute: parseOwnLimit(values['requests-per-minute'], 1),
    codes: parseOwnLimit(values.codes, 0),
    creationsPerMinute: parseOwnLimit(values['creations-per-minute'], 1),
  });
  for (const [name, value] of Object.entries(values))
    print(`${account}: ${name.replaceAll('-', ' ')} ${value === 'plan' ? 'as in its plan' : value}`);
};

const maxOwnLimit = 1_000_000_000;

/** A number, or null for `plan`. */
function parseOwnLimit(text: string | undefined, least: number): number | null | undefined {
  if (text === undefined || text === 'plan') return text === 'plan' ? null : undefined;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= least && limit <= maxOwnLimit) return limit;
  throw usageError(
    `${text} is not a limit. Give a whole number from ${least} to ${maxOwnLimit.toLocaleString('en')}, or plan.`,
    accountUsage,
  );
}
