import type { AdminCommand } from './context.ts';
import { printTargets, requireCode, withModeration } from './moderation.ts';

export const pauseCode: AdminCommand = async ([target = ''], context) => {
  const { name, shown } = await requireCode(target, context.engines);
  await withModeration(context, async ({ moderation }) => {
    const paused = await moderation.pauseCode(name);
    context.print(`${shown} ${paused.paused ? 'is paused' : 'was already paused'}.`);
    printTargets(paused, context.print);
    context.print('Its owner can set it active again. To prevent that, suspend the code instead.');
  });
};
