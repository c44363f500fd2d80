import { type Role, SignUp } from '@signpost/contract';
import { Check } from 'typebox/value';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { formatId, type Ids, type Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { ReleaseHeldAccounts } from '../held-accounts.ts';
import { addMember, findStandpoint, listMemberships, openAccount } from '../members/member.ts';
import { deleteInvitation, lockAccount } from '../members/store.ts';
import { lockUser, setVerified } from '../recovery/recovery-store.ts';
import { createResetLink } from '../recovery/reset-links.ts';
import { insertUser } from '../sign-in/new-user.ts';
import { addOperator, removeOperator } from './operators.ts';

type Parts = {
  readonly db: Database;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Whether people can confirm an address by mail. */
  readonly sendsMail: boolean;
  readonly releaseHeldAccounts: ReleaseHeldAccounts;
};

export type NewUserOptions = {
  readonly email: string;
  readonly name?: string | undefined;
  readonly accountName?: string | undefined;
  readonly plan: string;
  readonly isOperator: boolean;
  /** Allow an existing user whose address is not confirmed. */
  readonly unconfirmed: boolean;
  /** Open another account for somebody who has one. */
  readonly another?: boolean;
};

export type NewPersonOptions = Pick<NewUserOptions, 'email' | 'name' | 'unconfirmed'> & {
  readonly accountId: Uuid;
  readonly role: Role;
};

export type ListedUser = {
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  readonly emailVerified: boolean;
  readonly createdAt: Date;
  /** The oldest membership first. */
  readonly accounts: readonly { readonly id: Uuid; readonly role: Role }[];
};

export type UserAdmin = ReturnType<typeof createUserAdmin>;

/** Users, as the operator's commands change them: in PostgreSQL directly, without a password and without AUTH_SECRET. */
export function createUserAdmin(parts: Parts) {
  const { db, ids, clock, sendsMail, releaseHeldAccounts } = parts;

  async function requireUser(db: Database, text: string): Promise<KnownRow & { email: string }> {
    const email = requireEmail(text);
    const [user] = await db.query<KnownRow>(userByEmail, [email]);
    return user ? { ...user, email } : noSuchUser(email);
  }

  /** The person with this address, who is created where nobody has it. */
  async function findOrInsert(
    tx: Database,
    { email, name, unconfirmed }: { email: string; name: string; unconfirmed: boolean },
  ): Promise<{ readonly id: Uuid; readonly isNew: boolean }> {
    const [known] = await tx.query<KnownRow>(lockUserByEmail, [email]);
    if (known && !known.email_verified && !unconfirmed) throw notConfirmed(email, sendsMail);
    if (known) return { id: known.id, isNew: false };
    const id = ids.next();
    await insertUser(tx, { id, name, email, at: clock.now() });
    return { id, isNew: true };
  }

  return {
    /** Creates a user with an account, and a link to set the password. Somebody who exists keeps the password: the link is null. */
    async create(options: NewUserOptions): Promise<{ accountId: Uuid; link: string | null }> {
      const { unconfirmed, another = false } = options;
      const email = requireEmail(options.email);
      const name = requireName(options.name ?? email.split('@')[0]!);
      const [accountId, at] = [ids.next(), clock.now()];
      const isNew = await db.transaction(async tx => {
        const [known] = another ? [] : await tx.query<KnownRow>(lockUserByEmail, [email]);
        if (known && (await findStandpoint(tx, known.id, null)).hasAccount) throw hasAccount(email);
        const person = await findOrInsert(tx, { email, name, unconfirmed });
        await openAccount(tx, {
          id: accountId,
          name: options.accountName ?? name,
          plan: options.plan,
          ownerId: person.id,
          createdAt: at,
        });
        if (options.isOperator) await addOperator(tx, person.id, at);
        return person.isNew;
      });
      return { accountId, link: isNew ? await createResetLink(parts, email) : null };
    },

    /** Adds a person to an account, whatever its plan includes, in place of an invitation. The link is null as above. */
    async addToAccount(options: NewPersonOptions): Promise<{ link: string | null }> {
      const { accountId, role, unconfirmed } = options;
      const email = requireEmail(options.email);
      const name = requireName(options.name ?? email.split('@')[0]!);
      const isNew = await db.transaction(async tx => {
        if (!(await lockAccount(tx, accountId))) throw noSuchAccount();
        const person = await findOrInsert(tx, { email, name, unconfirmed });
        const member = { userId: person.id, accountId, role, invited: true, at: clock.now() };
        if (!(await addMember(tx, member))) throw alreadyMember(email);
        await deleteInvitation(tx, accountId, email);
        return person.isNew;
      });
      return { link: isNew ? await createResetLink(parts, email) : null };
    },

    /** Returns false if nothing had to be changed. */
    setOperator: (text: string, isOperator: boolean, unconfirmed: boolean): Promise<boolean> =>
      db.transaction(async tx => {
        const { id, email, email_verified: isConfirmed } = await requireUser(tx, text);
        if (isOperator && !isConfirmed && !unconfirmed) throw notConfirmed(email, sendsMail);
        return isOperator ? await addOperator(tx, id, clock.now()) : await removeOperator(tx, id, email);
      }),

    /** Confirms an address on the operator's word. Returns how many accounts waited for it. */
    confirmEmail: (text: string): Promise<{ readonly changed: boolean; readonly released: number }> =>
      db.transaction(async tx => {
        const { id, email } = await requireUser(tx, text);
        const user = (await lockUser(tx, id)) ?? noSuchUser(email);
        await setVerified(tx, id, clock.now());
        return { changed: !user.emailVerified, released: await releaseHeldAccounts(tx, id) };
      }),

    /** The only account of the person. */
    async findAccountId(text: string): Promise<Uuid> {
      const { id, email } = await requireUser(db, text);
      const [first, ...others] = await listMemberships(db, id);
      if (first && others.length === 0) return first.accountId;
      if (first)
        throw new AppError(
          'invalid_request',
          `${email} belongs to several accounts. Name one by its id: ${[first, ...others].map(({ accountId, name }) => `${formatId('acct', accountId)} (${name})`).join(', ')}`,
        );
      throw new AppError(
        'not_found',
        `${email} has no account. signpost admin create-user ${email} opens one.`,
      );
    },

    async resetLink(text: string): Promise<string> {
      const { email } = await requireUser(db, text);
      return (await createResetLink(parts, email)) ?? noSuchUser(email);
    },

    /** Ordered by e-mail, after the given one. */
    async list(after: string, limit: number): Promise<ListedUser[]> {
      const rows = await db.query<UserRow>(listUsers, [after.toLowerCase(), limit]);
      return rows.map(row => ({
        email: row.email,
        name: row.name,
        isOperator: row.is_operator,
        emailVerified: row.email_verified,
        createdAt: row.created_at,
        accounts: row.accounts,
      }));
    },
  };
}

function requireEmail(text: string): string {
  if (Check(SignUp.properties.email, text)) return text.toLowerCase();
  throw new AppError(
    'invalid_request',
    `${text === '' ? 'An e-mail address is missing' : `${text} is not an e-mail address`}.`,
    {
      param: 'email',
    },
  );
}

function requireName(text: string): string {
  if (Check(SignUp.properties.name, text)) return text;
  throw new AppError('invalid_request', 'A name must have 1 to 100 characters. Give one with --name.', {
    param: 'name',
  });
}

function noSuchUser(email: string): never {
  throw new AppError(
    'not_found',
    `No user has the e-mail address ${email}. signpost admin list-users shows all users.`,
  );
}

const hasAccount = (email: string) =>
  new AppError(
    'invalid_request',
    `${email} already has an account. For another one: signpost admin create-account NAME --owner ${email}. For a new password: signpost admin reset-link ${email}. To make them an operator: signpost admin set-operator ${email} on`,
    { param: 'email' },
  );

const noSuchAccount = () => new AppError('not_found', 'No account has this id.');

const alreadyMember = (email: string) =>
  new AppError(
    'invalid_request',
    `${email} belongs to this account already. An owner of it changes roles on the page People.`,
    { param: 'email' },
  );

/** Anyone can sign up with any address: an operator or an owner must have confirmed theirs. */
const notConfirmed = (email: string, sendsMail: boolean) =>
  new AppError(
    'forbidden',
    sendsMail
      ? `${email} is not confirmed: another person may have signed up with it. Ask them to sign in and confirm the address, or repeat with --unconfirmed if you know that the account is theirs.`
      : `${email} is not confirmed: another person may have signed up with it. This installation sends no mail, so addresses cannot be confirmed. Repeat with --unconfirmed if you know that the account is theirs.`,
  );

const userByEmail = sql('known-user-by-email', 'select id, email_verified from auth_users where email = $1');
const lockUserByEmail = sql('lock-user-by-email', `${userByEmail.text} for no key update`);
const listUsers = sql(
  'list-users',
  `select u.email, u.name, u.email_verified, u.created_at, exists (select from operators o where o.user_id = u.id) as is_operator,
          (select coalesce(json_agg(json_build_object('id', m.account_id, 'role', m.role)
                                    order by m.created_at, m.account_id), '[]')
             from members m where m.user_id = u.id) as accounts
     from auth_users u where u.email > $1 order by u.email limit $2`,
);

type KnownRow = { id: Uuid; email_verified: boolean };

type UserRow = {
  email: string;
  name: string;
  is_operator: boolean;
  email_verified: boolean;
  created_at: Date;
  accounts: { id: Uuid; role: Role }[];
};
