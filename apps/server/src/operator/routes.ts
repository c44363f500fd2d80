import { accountOperations } from '@signpost/contract';
import type { EventNotes } from '../http/audited.ts';
import type { Routes } from '../http/routes.ts';
import { AppError } from '../kernel/errors.ts';
import { formatId, parseId } from '../kernel/ids.ts';
import { presentPage } from '../kernel/page.ts';
import type { Suspension } from '../moderation/suspensions/suspension.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { addHostRoutes } from './host-routes.ts';
import type { OperatorService } from './operator.ts';
import { presentAccount, presentCode, presentDomain, presentReport, presentSuspension } from './present.ts';

/** The operator's routes against abuse. The guard refuses everybody else on all of these paths. */
export function addOperatorRoutes(routes: Routes, service: OperatorService): void {
  const { linkNames, suspensions, view, reports } = service;

  routes.add(accountOperations.findCodes, async ({ db, query }) => {
    const found = await view.findCodes(db, query.link, linkNames);
    const domains = await view.findDomains(db, query.link, linkNames);
    return { data: found.map(code => presentCode(code, linkNames)), domains: domains.map(presentDomain) };
  });

  async function requireAccount(db: Database, text: string) {
    const id = parseId('acct', text);
    const found = id && (await view.findAccount(db, id));
    if (!found) throw new AppError('not_found', 'No account has this id.');
    return found;
  }

  routes.add(accountOperations.getOperatorAccount, async ({ db, params }) => {
    const found = await requireAccount(db, params.id);
    return presentAccount(found, await reports.countOpenForAccount(db, found.account.id), linkNames);
  });

  routes.add(accountOperations.listOperatorCodes, async ({ db, params, query }) => {
    const { account } = await requireAccount(db, params.id);
    const found = await view.listCodes(db, account.id, readPage(query));
    return {
      data: found.items.map(code => presentCode(code, linkNames)),
      pagination: presentPage(found),
    };
  });

  routes.add(accountOperations.listSuspensions, async ({ db, query }) => {
    const found = await suspensions.list(db, readPage(query), query.state ?? 'open');
    return {
      data: found.items.map(suspension => presentSuspension(suspension, linkNames)),
      pagination: presentPage(found),
    };
  });

  const alone = { inTransaction: true };

  /** The event is in the log of the account that is concerned, without a word about the operator. */
  function present(suspension: Suspension, noteEvent: (notes: EventNotes) => void) {
    const { account, code } = suspension;
    noteEvent({ accountId: account.id, subjects: code ? [formatId('qr', code.id)] : [] });
    return presentSuspension(suspension, linkNames);
  }

  routes.add(
    accountOperations.createSuspension,
    async ({ db, body: { id, reason }, noteEvent }) => {
      const [code, account] = [parseId('qr', id), parseId('acct', id)];
      if (code) return present(await suspensions.suspendCode(db, { id: code }, reason), noteEvent);
      if (account) return present(await suspensions.suspendAccount(db, account, reason), noteEvent);
      throw new AppError('not_found', 'No code or account has this id. Ids look like qr_… or acct_….');
    },
    alone,
  );

  routes.add(
    accountOperations.releaseSuspension,
    async ({ db, params, noteEvent }) => {
      const id = parseId('sus', params.id);
      if (!id) throw new AppError('not_found', 'No suspension has this id.');
      return present(await suspensions.release(db, id), noteEvent);
    },
    alone,
  );

  routes.add(
    accountOperations.answerAppeal,
    async ({ db, params, body, noteEvent }) => {
      const id = parseId('sus', params.id);
      const answered = id && (await suspensions.answer(db, id, body.text ?? null));
      if (!answered) throw new AppError('not_found', 'No suspension has this id.');
      return present(answered, noteEvent);
    },
    alone,
  );

  routes.add(accountOperations.listReports, async ({ db, query }) => {
    const found = await reports.list(db, query.state ?? 'open', readPage(query));
    const ids = found.items.map(({ qrCodeId }) => qrCodeId);
    const codes = new Map((await view.findCodesById(db, ids)).map(code => [code.id, code]));
    const data = found.items.flatMap(report => {
      // A deleted test code whose name was given to another code no longer has a row.
      const code = codes.get(report.qrCodeId);
      return code ? [presentReport(report, code, linkNames)] : [];
    });
    return { data, pagination: presentPage(found) };
  });

  routes.add(accountOperations.closeReport, async ({ db, params }) => {
    const id = parseId('rep', params.id);
    const closed = id && (await reports.close(db, id));
    const [code] = closed ? await view.findCodesById(db, [closed.qrCodeId]) : [];
    if (!closed || !code) throw new AppError('not_found', 'No report has this id.');
    return presentReport(closed, code, linkNames);
  });

  addHostRoutes(routes, service);
}

const readPage = ({ page = 1, limit = 20 }: { readonly page?: number; readonly limit?: number }) => ({
  page,
  limit,
});
