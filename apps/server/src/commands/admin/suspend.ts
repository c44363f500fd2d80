import { parseArgs } from 'node:util';
import { escapeControlCharacters, type Print } from '../../kernel/print.ts';
import type { Suspension } from '../../moderation/suspensions/suspension.ts';
import { requireId } from './arguments.ts';
import type { AdminCommand } from './context.ts';
import {
  moderationUsage,
  printTargets,
  requireCode,
  requireReason,
  startTimer,
  withModeration,
} from './moderation.ts';

export const suspendCode: AdminCommand = async (args, context) => {
  const { target, reason } = parseTarget(args);
  const { engines, print } = context;
  const { name } = await requireCode(target, engines);
  const ownerReason = requireReason(reason);
  await withModeration(context, async ({ suspensions }) => {
    const elapsed = startTimer();
    const suspension = await suspensions.suspendCode(engines.db, { name }, ownerReason);
    print(`${suspension.code!.shortCode} is suspended on all redirects (${elapsed()}).`);
    printTargets(suspension.code!, print);
    printEarlierReason(suspension, ownerReason, print);
  });
};

export const suspendAccount: AdminCommand = async (args, context) => {
  const { target, reason } = parseTarget(args);
  const id = requireId('acct', target, moderationUsage);
  const ownerReason = requireReason(reason);
  await withModeration(context, async ({ suspensions }) => {
    const elapsed = startTimer();
    const suspension = await suspensions.suspendAccount(context.engines.db, id, ownerReason);
    context.print(`${target} is suspended on all redirects (${elapsed()}).`);
    printEarlierReason(suspension, ownerReason, context.print);
  });
};

function parseTarget(args: readonly string[]) {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { reason: { type: 'string' } },
  });
  return { target: positionals[0] ?? '', reason: values.reason };
}

/** The first reason stays: the owner may have appealed against it. */
function printEarlierReason({ reason, suspendedAt }: Suspension, given: string, print: Print): void {
  if (reason === given) return;
  print(`It was already suspended, ${suspendedAt.toISOString()}: ${escapeControlCharacters(reason)}`);
  print('To give another reason, release it and suspend it again.');
}
