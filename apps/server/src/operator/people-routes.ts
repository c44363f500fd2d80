import { accountOperations, type OperatorPerson } from '@signpost/contract';
import type { Routes } from '../http/routes.ts';
import type { Person } from '../kernel/caller.ts';
import { formatId, parseId } from '../kernel/ids.ts';
import { presentPage } from '../kernel/page.ts';
import type { ListedPerson } from '../users/user.ts';
import type { AdminService } from './admin.ts';

/** Who signs in, and what an operator does about it. What outlasts the session asks for the password again. */
export function addPeopleRoutes(routes: Routes, { people, confirmPassword }: AdminService): void {
  const confirm = (person: Person, password: string, cookie = '') =>
    confirmPassword(person, password, new Headers({ cookie }));

  routes.add(accountOperations.listPeople, async ({ db, query }) => {
    const found = await people.list(db, query, { page: query.page ?? 1, limit: query.limit ?? 20 });
    return { data: found.items.map(presentPerson), pagination: presentPage(found) };
  });

  routes.add(
    accountOperations.endPersonSessions,
    async ({ db, params, person, noteEvent }) => {
      const id = parseId('user', params.id);
      const ended = await people.endSessions(db, id, person.sessionId);
      if (id) noteEvent({ userId: id });
      return { ended };
    },
    { inTransaction: true },
  );

  routes.add(
    accountOperations.setPersonOperator,
    async ({ db, params, person, body, raw, writeEvent }) => {
      const { id } = await people.find(db, parseId('user', params.id));
      await confirm(person, body.current_password, raw.request.headers.cookie);
      const change = { isOperator: body.is_operator, evenUnconfirmed: body.even_unconfirmed ?? false };
      return await db.transaction(async tx => {
        const changed = await people.setOperator(tx, id, change);
        await writeEvent(tx, { userId: id });
        return presentPerson(changed);
      });
    },
    { writesEvent: true },
  );

  routes.add(accountOperations.sendPersonReset, async ({ db, params, person, body, raw, noteEvent }) => {
    const found = await people.find(db, parseId('user', params.id));
    await confirm(person, body.current_password, raw.request.headers.cookie);
    noteEvent({ userId: found.id });
    return { link: await people.resetLink(db, found.id) };
  });
}

const presentPerson = (person: ListedPerson): OperatorPerson => ({
  id: formatId('user', person.id),
  email: person.email,
  name: person.name,
  email_verified: person.emailVerified,
  is_operator: person.isOperator,
  created_at: person.createdAt.toISOString(),
  sessions: person.sessions,
  accounts: person.accounts.map(({ id, name, role }) => ({ id: formatId('acct', id), name, role })),
});
