import { accountOperations, type OwnSuspension as WireOwnSuspension } from '@signpost/contract';
import type { Routes } from '../../http/routes.ts';
import { parseId } from '../../kernel/ids.ts';
import type { Suspensions } from './service.ts';
import type { OwnSuspension } from './suspension.ts';

/** What owners see of a suspension, and their appeals. */
export function addAppealRoutes(
  routes: Routes,
  suspensions: Pick<Suspensions, 'ofCode' | 'appealCode' | 'appealAccount'>,
): void {
  routes.add(accountOperations.getCodeSuspension, async ({ db, caller, params }) => {
    const found = await suspensions.ofCode(db, caller, parseId('qr', params.id));
    return { suspension: found && presentOwn(found) };
  });

  routes.add(
    accountOperations.appealCode,
    async ({ db, caller, params, body }) =>
      presentOwn(await suspensions.appealCode(db, caller, parseId('qr', params.id), body.text)),
    { inTransaction: true },
  );

  routes.add(
    accountOperations.appealAccount,
    async ({ db, caller, body }) =>
      presentOwn(await suspensions.appealAccount(db, caller.accountId, body.text)),
    { inTransaction: true },
  );
}

export const presentOwn = ({ reason, suspendedAt, appeal }: OwnSuspension): WireOwnSuspension => ({
  reason,
  suspended_at: suspendedAt.toISOString(),
  appeal: appeal && {
    text: appeal.text,
    at: appeal.at.toISOString(),
    answer: appeal.answer && { text: appeal.answer.text, at: appeal.answer.at.toISOString() },
  },
});
