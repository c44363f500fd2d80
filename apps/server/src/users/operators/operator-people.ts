import type { PeopleQuery, Role } from '@signpost/contract';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Page, type Paged, toOffset } from '../../kernel/page.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { Notifications } from '../notifications.ts';
import { createResetLink } from '../recovery/reset-links.ts';
import type { ListedPerson } from '../user.ts';
import { addOperator, removeOperator } from './operators.ts';

type Filter = Pick<PeopleQuery, 'search' | 'state'>;

type Parts = {
  readonly clock: Clock;
  readonly notifications: Pick<Notifications, 'sendsMail' | 'resetLink'>;
  readonly publicUrl: string;
};

/** What operators do about people in the dashboard. The commands on the server do the same in user-admin.ts. */
export function createOperatorPeople({ clock, notifications, publicUrl }: Parts) {
  async function find(db: Database, id: Uuid | null): Promise<ListedPerson> {
    const [row] = id ? await db.query<PersonRow>(personById, [id]) : [];
    if (!row) throw noSuchPerson();
    return toPerson(row);
  }

  return {
    find,

    /** Newest first. */
    async list(db: Database, { search, state = 'all' }: Filter, page: Page): Promise<Paged<ListedPerson>> {
      const filter = [search?.toLowerCase() ?? null, state];
      const rows = await db.query<PersonRow>(listPeople, [...filter, toOffset(page), page.limit]);
      const [counted] = await db.query<{ total: number }>(countPeople, filter);
      return { items: rows.map(toPerson), page, total: counted?.total ?? 0 };
    },

    /** Of a person who is asking, this session stays. */
    async endSessions(db: Database, id: Uuid | null, exceptSession: Uuid): Promise<number> {
      const person = await find(db, id);
      return (await db.query(deleteSessions, [person.id, exceptSession])).length;
    },

    async setOperator(
      db: Database,
      id: Uuid | null,
      change: { readonly isOperator: boolean; readonly evenUnconfirmed: boolean },
    ): Promise<ListedPerson> {
      await db.transaction(async tx => {
        const person = await find(tx, id);
        if (!change.isOperator) return await removeOperator(tx, person.id, person.email);
        if (!person.emailVerified && !change.evenUnconfirmed) throw notConfirmed();
        return await addOperator(tx, person.id, clock.now());
      });
      return await find(db, id);
    },

    /** Mails the link; where there is no mail, resolves to the link, for the operator to pass on. */
    async resetLink(db: Database, id: Uuid | null): Promise<string | null> {
      const { email } = await find(db, id);
      if (!notifications.sendsMail) return await createResetLink({ db, clock, publicUrl }, email);
      notifications.resetLink(email);
      return null;
    },
  };
}

const noSuchPerson = () => new AppError('not_found', 'No person has this id.');

/** Anyone can sign up with any address. */
const notConfirmed = () =>
  new AppError(
    'invalid_request',
    'This e-mail address is not confirmed: somebody else may have signed up with it.',
    { param: 'even_unconfirmed' },
  );

type PersonRow = {
  id: Uuid;
  email: string;
  name: string;
  email_verified: boolean;
  is_operator: boolean;
  created_at: Date;
  sessions: number;
  accounts: { id: Uuid; name: string; role: Role }[];
};

const toPerson = (row: PersonRow): ListedPerson => ({
  id: row.id,
  email: row.email,
  name: row.name,
  emailVerified: row.email_verified,
  isOperator: row.is_operator,
  createdAt: row.created_at,
  sessions: row.sessions,
  accounts: row.accounts,
});

const people = (from: string) =>
  `select u.id, u.email, u.name, u.email_verified, u.created_at,
          exists (select from operators o where o.user_id = u.id) as is_operator,
          (select count(*) from auth_sessions s where s.user_id = u.id and s.expires_at > now()) as sessions,
          coalesce(m.accounts, '[]') as accounts
     from ${from} u
     left join lateral (
       select json_agg(json_build_object('id', x.id, 'name', x.name, 'role', x.role)) as accounts
         from (select a.id, a.name, m.role from members m join accounts a on a.id = m.account_id
                where m.user_id = u.id order by m.created_at, m.account_id limit 20) x) m on true
    order by u.id desc`;

const matching = `($1::text is null or position($1 in u.email) > 0)
        and case $2::text
              when 'operators' then exists (select from operators o where o.user_id = u.id)
              when 'unconfirmed' then not u.email_verified
              else true end`;

const personById = sql('operator-person-by-id', people('(select * from auth_users where id = $1)'));
/** Ids ascend with the time of creation. */
const listPeople = sql(
  'operator-list-people',
  people(`(select u.* from auth_users u where ${matching} order by u.id desc offset $3 limit $4)`),
);
const countPeople = sql(
  'operator-count-people',
  `select count(*) as total from auth_users u where ${matching}`,
);
const deleteSessions = sql(
  'operator-end-sessions',
  'delete from auth_sessions where user_id = $1 and id <> $2 returning id',
);
