import { SignUp } from '@signpost/contract';
import { Check } from 'typebox/value';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { findMember, openAccount } from './members.ts';
import { insertUser } from './new-user.ts';
import { addOperator, removeOperator } from './operators.ts';
import { lockUser, setVerified } from './recovery-store.ts';
import type { Release } from './release.ts';
import { createResetLink } from './reset-links.ts';

type Parts = {
  readonly db: Database;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Whether people can confirm an address here. */
  readonly sendsMail: boolean;
  readonly release: Release;
};

export type Wanted = {
  readonly email: string;
  readonly name?: string | undefined;
  readonly accountName?: string | undefined;
  readonly plan: string;
  readonly isOperator: boolean;
  /** Also somebody who is here and whose address nobody has confirmed. */
  readonly unconfirmed: boolean;
};

/** Somebody as a list shows them. */
export type ListedUser = {
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  readonly emailVerified: boolean;
  readonly createdAt: Date;
  readonly accountIds: readonly Uuid[];
};

export type UserAdmin = ReturnType<typeof createUserAdmin>;

/** People, as the operator's commands work on them: by PostgreSQL alone, without a password and without a secret. */
export function createUserAdmin(parts: Parts) {
  const { db, ids, clock, sendsMail, release } = parts;

  async function requireUser(on: Database, text: string): Promise<KnownRow & { email: string }> {
    const email = emailFrom(text);
    const [user] = await on.query<KnownRow>(userOf, [email]);
    return user ? { ...user, email } : nobodyHas(email);
  }

  return {
    /**
     * A person with an account of their own, and a link to set the password. Somebody who is here without an account gets
     * one and keeps the password: the link is null.
     */
    async create(wanted: Wanted): Promise<{ accountId: Uuid; link: string | null }> {
      const email = emailFrom(wanted.email);
      const name = nameFrom(wanted.name ?? email.split('@')[0]!);
      const [accountId, at] = [ids.next(), clock.now()];
      const isNew = await db.transaction(async tx => {
        const [known] = await tx.query<KnownRow>(lockUserOf, [email]);
        if (known && (await findMember(tx, known.id))) throw hasAccount(email);
        if (known && !known.email_verified && !wanted.unconfirmed) throw notConfirmed(email, sendsMail);
        const id = known?.id ?? ids.next();
        if (!known) await insertUser(tx, { id, name, email, at });
        await openAccount(tx, {
          id: accountId,
          name: wanted.accountName ?? name,
          plan: wanted.plan,
          ownerId: id,
          createdAt: at,
        });
        if (wanted.isOperator) await addOperator(tx, id, at);
        return !known;
      });
      return { accountId, link: isNew ? await createResetLink(parts, email) : null };
    },

    /** False where nothing was to be changed. */
    setOperator: (text: string, isOperator: boolean, unconfirmed: boolean): Promise<boolean> =>
      db.transaction(async tx => {
        const { id, email, email_verified: isConfirmed } = await requireUser(tx, text);
        if (isOperator && !isConfirmed && !unconfirmed) throw notConfirmed(email, sendsMail);
        return isOperator ? await addOperator(tx, id, clock.now()) : await removeOperator(tx, id, email);
      }),

    /** The operator's word for it that an address is its person's. How many accounts waited for it. */
    confirmEmail: (text: string): Promise<{ readonly changed: boolean; readonly released: number }> =>
      db.transaction(async tx => {
        const { id, email } = await requireUser(tx, text);
        const user = (await lockUser(tx, id)) ?? nobodyHas(email);
        await setVerified(tx, id, clock.now());
        return { changed: !user.emailVerified, released: await release(tx, id) };
      }),

    async resetLink(text: string): Promise<string> {
      const { email } = await requireUser(db, text);
      return (await createResetLink(parts, email)) ?? nobodyHas(email);
    },

    /** By e-mail, after the one named. */
    async list(after: string, limit: number): Promise<ListedUser[]> {
      const rows = await db.query<UserRow>(listUsers, [after.toLowerCase(), limit]);
      return rows.map(row => ({
        email: row.email,
        name: row.name,
        isOperator: row.is_operator,
        emailVerified: row.email_verified,
        createdAt: row.created_at,
        accountIds: row.account_ids,
      }));
    },
  };
}

function emailFrom(text: string): string {
  if (Check(SignUp.properties.email, text)) return text.toLowerCase();
  throw new AppError(
    'invalid_request',
    `${text === '' ? 'An e-mail address is missing' : `${text} is not an e-mail address`}.`,
    {
      param: 'email',
    },
  );
}

function nameFrom(text: string): string {
  if (Check(SignUp.properties.name, text)) return text;
  throw new AppError('invalid_request', 'A name has 1 to 100 characters. Give one with --name.', {
    param: 'name',
  });
}

function nobodyHas(email: string): never {
  throw new AppError(
    'not_found',
    `Nobody has the e-mail ${email}. signpost admin list-users shows who is here.`,
  );
}

const hasAccount = (email: string) =>
  new AppError(
    'invalid_request',
    `${email} already has an account; each person can have only one. For a new password: signpost admin reset-link ${email}. To make them an operator: signpost admin set-operator ${email} on`,
    { param: 'email' },
  );

/** Anybody can sign up with anybody's address: an operator or an owner must be who the address says. */
const notConfirmed = (email: string, sendsMail: boolean) =>
  new AppError(
    'forbidden',
    sendsMail
      ? `${email} is not confirmed: somebody else may have signed up with it. Ask them to sign in and confirm the address, or repeat with --unconfirmed if you know that the account is theirs.`
      : `${email} is not confirmed: somebody else may have signed up with it. No mail is set up here, so nobody can confirm an address. Repeat with --unconfirmed if you know that the account is theirs.`,
  );

const userOf = sql('known-user-by-email', 'select id, email_verified from auth_users where email = $1');
const lockUserOf = sql('lock-user-by-email', `${userOf.text} for no key update`);
const listUsers = sql(
  'list-users',
  `select u.email, u.name, u.email_verified, u.created_at, exists (select from operators o where o.user_id = u.id) as is_operator,
          array(select m.account_id from members m where m.user_id = u.id order by m.created_at, m.account_id)
            as account_ids
     from auth_users u where u.email > $1 order by u.email limit $2`,
);

type KnownRow = { id: Uuid; email_verified: boolean };

type UserRow = {
  email: string;
  name: string;
  is_operator: boolean;
  email_verified: boolean;
  created_at: Date;
  account_ids: Uuid[];
};
