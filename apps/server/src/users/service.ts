import { type Language, type Permission, rolePermissions } from '@signpost/contract';
import { writeSignInFailure } from '../audit/writer.ts';
import type { WriteEvent } from '../http/audited.ts';
import type { Caller, Mode, Person } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Attempts } from '../limits/attempts.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { Joining } from './invitations/joining.ts';
import {
  findStandpoint,
  listMemberships,
  lockMembership,
  openAccount,
  type Standpoint,
} from './members/member.ts';
import type { Notifications } from './notifications.ts';
import { hasOperator } from './operators/operators.ts';
import { lockUser } from './recovery/recovery-store.ts';
import type { Auth, AuthUser, WithCookies } from './sign-in/auth.ts';
import { refuseCommonPassword } from './sign-in/common-passwords.ts';
import { knownHashes, rememberBrowser } from './sign-in/known-browsers.ts';
import { confirmationLimit, signInLimits } from './sign-in/sign-in-limits.ts';
import * as store from './store.ts';
import type { Session, User } from './user.ts';

type Parts = {
  readonly db: Database;
  readonly auth: Auth;
  readonly attempts: Attempts;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly signUp: 'open' | 'closed';
  readonly defaultPlan: string;
  readonly signInAttempts: number;
  readonly signUpsPerHour: number;
  /** Whether the links of a new account wait until its address is confirmed. */
  readonly requireVerifiedEmail: boolean;
  readonly publicUrl: string;
  readonly notifications: Notifications;
  readonly joining: Pick<Joining, 'createUser'>;
  /** What is stored of a user agent. */
  readonly nameDevice: (userAgent: string) => string;
  readonly logger: Pick<Logger, 'warn'>;
};

/** What sign-in knows about a client: its cookies and user agent, and its address (for IPv6 the /64). */
export type Client = { readonly headers: Headers; readonly address: string };

type SignUp = {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** The token of an invitation to this address, which lets its owner in where sign-up is closed. */
  readonly invitation?: string;
  /** Of the dashboard in which they sign up. */
  readonly language?: Language;
};

/** A session that is used for one account. */
type Watched = { readonly sessionId: Uuid; readonly userId: Uuid; readonly accountId: Uuid };

export type Users = ReturnType<typeof createUsers>;

const hourMs = 60 * 60_000;

export function createUsers(parts: Parts) {
  const { db, auth, attempts, ids, clock, logger, notifications, signInAttempts, signUpsPerHour, publicUrl } =
    parts;

  /**
   * Gives a user without an account one, where anybody may sign up, or where their sign-up was interrupted. Elsewhere a person who
   * was removed from the only account would own one with the next request.
   */
  async function ensureAccount(tx: Database, user: AuthUser): Promise<void> {
    const stored = await lockUser(tx, user.id);
    if (!stored) throw accountClosed();
    if ((await findStandpoint(tx, user.id, null)).hasAccount) return;
    if (parts.signUp === 'closed' && stored.noAccountAt !== null) return;
    await openAccount(tx, {
      id: ids.next(),
      name: user.name,
      plan: parts.defaultPlan,
      ownerId: user.id,
      createdAt: clock.now(),
      signedUp: true,
      held: parts.requireVerifiedEmail && !stored.emailVerified,
    });
  }

  async function stand(user: AuthUser, accountId: Uuid | null = null): Promise<Standpoint> {
    const found = await findStandpoint(db, user.id, accountId);
    if (found.hasAccount) return found;
    await db.transaction(tx => ensureAccount(tx, user));
    return await findStandpoint(db, user.id, accountId);
  }

  const perHour = (what: string, address: string) => ({
    what,
    subject: address,
    limit: signUpsPerHour,
    windowMs: hourMs,
  });

  const remember = (userId: Uuid) => rememberBrowser(db, userId, clock.now(), publicUrl);

  /** Remembers the browser and language of a new user, and mails a link to confirm the address. */
  async function finishSignUp(
    { value, cookies }: WithCookies<User>,
    language: Language | undefined,
  ): Promise<WithCookies<User>> {
    if (language) await store.updateProfile(db, value.id, { language }, clock.now());
    const cookie = await remember(value.id);
    if (!value.emailVerified) notifications.verification(value);
    return { value, cookies: [...cookies, cookie] };
  }

  return {
    async options() {
      return { signUp: parts.signUp === 'open', firstUser: !(await hasOperator(db)) };
    },

    async signUp(
      { invitation, language, ...form }: SignUp,
      client: Client,
      writeEvent: WriteEvent,
    ): Promise<WithCookies<User>> {
      if (parts.signUp === 'closed' && invitation === undefined) throw signUpClosed();
      refuseCommonPassword(form.password, form);
      await attempts.take(perHour('sign-up', client.address));
      if (invitation !== undefined) {
        const user = await parts.joining.createUser(form, invitation, writeEvent);
        const { cookies } = await auth.signIn(form, client.headers);
        return await finishSignUp({ value: user, cookies }, language);
      }
      const { value, cookies } = await auth.signUp(form, client.headers);
      // After an interruption here the next sign-in opens the account, and is the first event.
      await db.transaction(async tx => {
        await ensureAccount(tx, value.user);
        await writeEvent(tx, { userId: value.user.id });
      });
      const { isOperator } = await stand(value.user);
      return await finishSignUp({ value: toUser(value.user, isOperator), cookies }, language);
    },

    async signIn(form: { email: string; password: string }, client: Client): Promise<WithCookies<User>> {
      const email = form.email.toLowerCase();
      const { browser, password } = await store.findSignInAttempt(
        db,
        email,
        knownHashes(client.headers, publicUrl),
      );
      const refund = await attempts.take(
        ...signInLimits({ email, address: client.address, browser }, signInAttempts),
      );
      const { value, cookies } = await auth.signIn(form, client.headers);
      // A new password that was set meanwhile has ended every session but this one, which did not exist yet.
      if (!(await store.isPassword(db, value.user.id, password))) {
        await store.endSessionByToken(db, value.token);
        throw wrongPassword();
      }
      const { isOperator } = await stand(value.user);
      const user = toUser(value.user, isOperator);
      await refund();
      if (browser !== null) return { value: user, cookies };
      const cookie = await remember(user.id);
      notifications.newBrowser(user, parts.nameDevice(client.headers.get('user-agent') ?? ''));
      return { value: user, cookies: [...cookies, cookie] };
    },

    /** In the audit log of each account of the person; nowhere where nobody has this address. */
    recordSignInFailure(email: string, requestId: string): void {
      writeSignInFailure(db, email.toLowerCase(), requestId).catch(error =>
        logger.warn({ err: error }, 'failed sign-in not recorded'),
      );
    },

    /** Ends the session with its event; better-auth then clears the cookies. */
    async signOut({ userId, sessionId }: Person, client: Client, writeEvent: WriteEvent) {
      await db.transaction(async tx => {
        await store.endSession(tx, userId, sessionId);
        await writeEvent(tx);
      });
      return await auth.signOut(client.headers);
    },

    /** Before changes that outlast the session: a person at an unattended browser does not know the password. */
    async confirmPassword(person: Person, password: string, headers: Headers): Promise<void> {
      const refund = await attempts.take(confirmationLimit(person.sessionId, signInAttempts));
      await auth.verifyPassword(password, headers);
      await refund();
    },

    isSignedIn: async (tx: Database, { sessionId }: Person) =>
      (await store.findActiveSessions(tx, [sessionId], clock.now())).has(sessionId),

    /**
     * Whether the person is still signed in and may still do this, in the transaction that does it: a removal from the account
     * waits for its end.
     */
    async mayStill(
      tx: Database,
      { sessionId, userId }: Person,
      accountId: Uuid,
      permission: Permission,
    ): Promise<boolean> {
      const role = await lockMembership(tx, userId, accountId);
      if (role === null || !rolePermissions[role].has(permission)) return false;
      return (await store.findActiveSessions(tx, [sessionId], clock.now())).has(sessionId);
    },

    /** Whether the session still opens the account, for an answer that takes long. */
    isStillOpen: async (watched: Watched) => (await store.findOpen(db, [watched], clock.now())).length > 0,
    /** Those of these sessions that still open their accounts. */
    stillOpen: <W extends Watched>(watched: readonly W[]): Promise<W[]> =>
      store.findOpen(db, watched, clock.now()),

    notifyNewKey: ({ userId, email }: Person, mode: Mode) =>
      notifications.newKey({ id: userId, email }, mode),

    /** The signed-in user of these cookies, and what the account may do; null if nobody is signed in. */
    async find(
      headers: Headers,
      { mode, accountId }: { readonly mode: Mode; readonly accountId: Uuid | null },
    ): Promise<WithCookies<{ person: Person; caller: Caller | null; hasAccount: boolean } | null>> {
      const { value, cookies } = await auth.session(headers);
      if (!value) return { value: null, cookies };
      const { session, user } = value;
      const { isOperator, membership, hasAccount } = await stand(user, accountId);
      const person = {
        userId: user.id,
        sessionId: session.id,
        email: user.email,
        name: user.name,
        emailVerified: user.emailVerified,
        isOperator,
      };
      const caller = membership && ({ ...membership, mode, via: { kind: 'user', id: user.id } } as const);
      return { value: { person, caller, hasAccount }, cookies };
    },

    updateProfile: (
      { userId }: Person,
      change: { readonly name?: string | undefined; readonly language?: Language | undefined },
      writeEvent: WriteEvent,
    ) =>
      db.transaction(async tx => {
        await store.updateProfile(tx, userId, change, clock.now());
        await writeEvent(tx);
      }),
    language: ({ userId }: Person) => store.findLanguage(db, userId),
    memberships: (person: Person) => listMemberships(db, person.userId),
    codesUsed: ({ accountId }: Caller) => store.countUsed(db, accountId),
    sessions: (person: Person): Promise<Session[]> => store.listSessions(db, person.userId, clock.now()),

    endSession: (person: Person, id: Uuid | null, writeEvent: WriteEvent): Promise<void> =>
      db.transaction(async tx => {
        if (!id || !(await store.endSession(tx, person.userId, id)))
          throw new AppError('not_found', 'No session has this id.');
        await writeEvent(tx);
      }),

    endOtherSessions: (person: Person, writeEvent: WriteEvent): Promise<void> =>
      db.transaction(async tx => {
        await store.endOtherSessions(tx, person.userId, person.sessionId);
        await writeEvent(tx);
      }),
    removeExpired: (limit: number) => store.removeExpired(db, limit),
  };
}

const toUser = ({ id, email, name, emailVerified }: AuthUser, isOperator: boolean): User => ({
  id,
  email,
  name,
  emailVerified,
  isOperator,
});

/** The account was closed a moment ago, and its people were deleted. */
const accountClosed = () =>
  new AppError('unauthorized', 'This account has been closed.', { challenge: false });
/** The same message as in auth-errors.ts: sign-in has only one refusal. */
const wrongPassword = () => new AppError('unauthorized', 'Wrong e-mail or password.');

const signUpClosed = () =>
  new AppError('forbidden', 'Sign-up is closed. Ask the operator of this server for an account.');
