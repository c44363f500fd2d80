import type { Caller, Mode, Person } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Attempts } from '../limits/attempts.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { findMember, type Member, openAccount } from './members.ts';
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
  /** What is stored of a user agent. */
  readonly nameDevice: (userAgent: string) => string;
};

/** What sign-in knows about a client: its cookies and user agent, and its address (for IPv6 the /64). */
export type Client = { readonly headers: Headers; readonly address: string };

type SignUp = { readonly name: string; readonly email: string; readonly password: string };

export type Users = ReturnType<typeof createUsers>;

const hourMs = 60 * 60_000;

export function createUsers(parts: Parts) {
  const { db, auth, attempts, ids, clock, notifications, signInAttempts, signUpsPerHour, publicUrl } = parts;

  /** The account of a user. Created if it is missing, also for a user whose sign-up was interrupted. */
  async function ensureAccount(tx: Database, user: AuthUser): Promise<Member> {
    const stored = await lockUser(tx, user.id);
    if (!stored) throw accountClosed();
    const known = await findMember(tx, user.id);
    if (known) return known;
    await openAccount(tx, {
      id: ids.next(),
      name: user.name,
      plan: parts.defaultPlan,
      ownerId: user.id,
      createdAt: clock.now(),
      signedUp: true,
      held: parts.requireVerifiedEmail && !stored.emailVerified,
    });
    return (await findMember(tx, user.id))!;
  }

  const ensureMember = async (user: AuthUser) =>
    (await findMember(db, user.id)) ?? (await db.transaction(tx => ensureAccount(tx, user)));

  const perHour = (what: string, address: string) => ({
    what,
    subject: address,
    limit: signUpsPerHour,
    windowMs: hourMs,
  });

  const remember = (userId: Uuid) => rememberBrowser(db, userId, clock.now(), publicUrl);

  /** Remembers the browser of a new user, and mails a link to confirm the address. */
  async function finishSignUp({ value, cookies }: WithCookies<User>): Promise<WithCookies<User>> {
    const cookie = await remember(value.id);
    if (!value.emailVerified) notifications.verification(value);
    return { value, cookies: [...cookies, cookie] };
  }

  return {
    async options() {
      return { signUp: parts.signUp === 'open', firstUser: !(await hasOperator(db)) };
    },

    async signUp(form: SignUp, client: Client): Promise<WithCookies<User>> {
      if (parts.signUp === 'closed') throw signUpClosed();
      refuseCommonPassword(form.password, form);
      await attempts.take(perHour('sign-up', client.address));
      const { value, cookies } = await auth.signUp(form, client.headers);
      const { isOperator } = await ensureMember(value.user);
      return await finishSignUp({ value: toUser(value.user, isOperator), cookies });
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
      const { isOperator } = await ensureMember(value.user);
      const user = toUser(value.user, isOperator);
      await refund();
      if (browser !== null) return { value: user, cookies };
      const cookie = await remember(user.id);
      notifications.newBrowser(user, parts.nameDevice(client.headers.get('user-agent') ?? ''));
      return { value: user, cookies: [...cookies, cookie] };
    },

    signOut: (client: Client) => auth.signOut(client.headers),

    /** Before changes that outlast the session: a person at an unattended browser does not know the password. */
    async confirmPassword(person: Person, password: string, headers: Headers): Promise<void> {
      const refund = await attempts.take(confirmationLimit(person.sessionId, signInAttempts));
      await auth.verifyPassword(password, headers);
      await refund();
    },

    isSignedIn: async (db: Database, { sessionId }: Person) =>
      (await store.findActiveSessions(db, [sessionId], clock.now())).has(sessionId),

    notifyNewKey: ({ userId, email }: Person, mode: Mode) =>
      notifications.newKey({ id: userId, email }, mode),

    /** The signed-in user of these cookies, and what the account may do; null if there is none. */
    async find(
      headers: Headers,
      mode: Mode,
    ): Promise<WithCookies<{ person: Person; caller: Caller } | null>> {
      const { value, cookies } = await auth.session(headers);
      if (!value) return { value: null, cookies };
      const { session, user } = value;
      const { isOperator, ...member } = await ensureMember(user);
      const person = {
        userId: user.id,
        sessionId: session.id,
        email: user.email,
        name: user.name,
        emailVerified: user.emailVerified,
        isOperator,
      };
      const caller = { ...member, mode, via: { kind: 'user', id: user.id } } as const;
      return { value: { person, caller }, cookies };
    },

    setName: (person: Person, name: string) => store.setName(db, person.userId, name, clock.now()),
    accountName: (accountId: Uuid) => store.findAccountName(db, accountId),
    codesUsed: ({ accountId }: Caller) => store.countUsed(db, accountId),
    sessions: (person: Person): Promise<Session[]> => store.listSessions(db, person.userId, clock.now()),

    async endSession(person: Person, id: Uuid | null): Promise<void> {
      if (!id || !(await store.endSession(db, person.userId, id)))
        throw new AppError('not_found', 'No session has this id.');
    },

    endOtherSessions: (person: Person) => store.endOtherSessions(db, person.userId, person.sessionId),
    activeSessions: (ids: readonly Uuid[]) => store.findActiveSessions(db, ids, clock.now()),
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
