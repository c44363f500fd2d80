import { accountOperations, type SavedView as WireView } from '@signpost/contract';
import type { Routes } from '../../../http/routes.ts';
import type { Caller, Person } from '../../../kernel/caller.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { AppError } from '../../../kernel/errors.ts';
import { formatId, type Ids, parseId } from '../../../kernel/ids.ts';
import * as store from './store.ts';
import { maxViews, type SavedView, type ViewOwner } from './view.ts';

type Parts = { readonly ids: Ids; readonly clock: Clock };

/** The saved views of the person who is signed in. */
export function addViewRoutes(routes: Routes, { ids, clock }: Parts): void {
  const alone = { inTransaction: true };

  routes.add(accountOperations.listViews, async ({ db, caller, person }) => ({
    data: (await store.listViews(db, toOwner(caller, person))).map(present),
  }));

  routes.add(
    accountOperations.createView,
    async ({ db, caller, person, body }) => {
      const view = { id: ids.next(), name: body.name.trim(), query: body.query };
      const created = { ...view, createdAt: clock.now() };
      const outcome = await store.insertView(db, toOwner(caller, person), created, maxViews);
      if (outcome === 'full') throw tooMany();
      if (outcome === 'removed') throw noMember();
      return present(view);
    },
    alone,
  );

  routes.add(
    accountOperations.updateView,
    async ({ db, caller, person, params, body }) => {
      const id = parseId('view', params.id);
      const wanted = { name: body.name?.trim(), query: body.query };
      const view = id && (await store.updateView(db, toOwner(caller, person), id, wanted));
      return present(view || notFound());
    },
    alone,
  );

  routes.add(
    accountOperations.deleteView,
    async ({ db, caller, person, params }) => {
      const id = parseId('view', params.id);
      if (!id || !(await store.deleteView(db, toOwner(caller, person), id))) notFound();
      return { deleted: true as const, id: params.id };
    },
    alone,
  );
}

const toOwner = ({ accountId, mode }: Caller, { userId }: Person): ViewOwner => ({ userId, accountId, mode });

const present = ({ id, name, query }: SavedView): WireView => ({ id: formatId('view', id), name, query });

const tooMany = () =>
  new AppError('quota_exceeded', `You have ${maxViews} saved views. Delete one that you no longer need.`, {
    limit: maxViews,
    used: maxViews,
  });

const noMember = () => new AppError('not_found', 'You belong to no account with this id.');

function notFound(): never {
  throw new AppError('not_found', 'You have no such view.');
}
