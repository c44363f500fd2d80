import type { Caller, Mode, Person } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Attempts } from '../limits/attempts.ts';
import type { Database } from '../platform/postgres.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import type { Engine, EngineUser, WithCookies } from './engine.ts';
import { knownHashes, rememberBrowser } from './known-browsers.ts';
import { findMember, type Member, openAccount } from './members.ts';
import type { Notices } from './notices.ts';
import { hasOperator } from './operators.ts';
import { lockUser } from './recovery-store.ts';
import { confirmationLimit, signInLimits } from './sign-in-limits.ts';
import * as store from './store.ts';
import type { Session, User } from './user.ts';

type Parts = {
  readonly db: Database;
  readonly engine: Engine;
  readonly attempts: Attempts;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly signUp: 'open' | 'closed';
  readonly defaultPlan: string;
  readonly signInTries: number;
  readonly signUpsPerHour: number;
  /** Whether links of who signs up wait until the address is confirmed. */
  readonly requireVerifiedEmail: boolean;
  readonly publicUrl: string;
  readonly notices: Notices;
  /** What is kept of a user agent. */
  readonly nameDevice: (userAgent: string) => string;
};

/** Where a request comes from, as far as sign-in cares: its cookies, and its address (of IPv6 the /64). */
export type From = { readonly headers: Headers; readonly address: string };

type SignUp = { readonly name: string; readonly email: string; readonly password: string };

export type Users = ReturnType<typeof createUsers>;

const hourMs = 60 * 60_000;

export function createUsers(parts: Parts) {
  const { db, engine, attempts, ids, clock, notices, signInTries, signUpsPerHour, publicUrl } = parts;

  /** The account of a user, made where it is missing: also of one whose sign-up was cut off in the middle. */
  async function adopt(tx: Database, user: EngineUser): Promise<Member> {
    const stored = await lockUser(tx, user.id);
    if (!stored) throw gone();
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

  const memberOf = async (user: EngineUser) =>
    (await findMember(db, user.id)) ?? (await db.transaction(tx => adopt(tx, user)));

  const perHour = (what: string, address: string) => ({
    what,
    subject: address,
    limit: signUpsPerHour,
    windowMs: hourMs,
  });

  const remember = (userId: Uuid) => rememberBrowser(db, userId, clock.now(), publicUrl);

  /** What a newcomer gets besides an account: a browser that is known, and a mail to confirm the address. */
  async function welcome({ value, cookies }: WithCookies<User>): Promise<WithCookies<User>> {
    const cookie = await remember(value.id);
    if (!value.emailVerified) notices.verification(value);
    return { value, cookies: [...cookies, cookie] };
  }

  return {
    async options() {
      return { signUp: parts.signUp === 'open', firstUser: !(await hasOperator(db)) };
    },

    async signUp(wanted: SignUp, from: From): Promise<WithCookies<User>> {
      if (parts.signUp === 'closed') throw closed();
      refuseCommonPassword(wanted.password, wanted);
      await attempts.take(perHour('sign-up', from.address));
      const { value, cookies } = await engine.signUp(wanted, from.headers);
      const { isOperator } = await memberOf(value.user);
      return await welcome({ value: toUser(value.user, isOperator), cookies });
    },

    async signIn(wanted: { email: string; password: string }, from: From): Promise<WithCookies<User>> {
      const email = wanted.email.toLowerCase();
      const { browser, password } = await store.findTry(db, email, knownHashes(from.headers, publicUrl));
      const giveBack = await attempts.take(
        ...signInLimits({ email, address: from.address, browser }, signInTries),
      );
      const { value, cookies } = await engine.signIn(wanted, from.headers);
      // A new password that was set meanwhile has ended every session but this one, which came too late to be seen.
      if (!(await store.isPassword(db, value.user.id, password))) {
        await store.endSessionByToken(db, value.token);
        throw wrongPassword();
      }
      const { isOperator } = await memberOf(value.user);
      const user = toUser(value.user, isOperator);
      await giveBack();
      if (browser !== null) return { value: user, cookies };
      const cookie = await remember(user.id);
      notices.newBrowser(user, parts.nameDevice(from.headers.get('user-agent') ?? ''));
      return { value: user, cookies: [...cookies, cookie] };
    },

    signOut: (from: From) => engine.signOut(from.headers),

    /** Before something that outlives the session: whoever found a browser open does not know the password. */
    async confirmPassword(person: Person, password: string, headers: Headers): Promise<void> {
      const giveBack = await attempts.take(confirmationLimit(person.sessionId, signInTries));
      await engine.verifyPassword(password, headers);
      await giveBack();
    },

    isSignedIn: async (on: Database, { sessionId }: Person) =>
      (await store.livingSessions(on, [sessionId], clock.now())).has(sessionId),

    noteKey: ({ userId, email }: Person, mode: Mode) => notices.newKey({ id: userId, email }, mode),

    /** Who is signed in by these cookies, and what the account may do; null for nobody. */
    async find(
      headers: Headers,
      mode: Mode,
    ): Promise<WithCookies<{ person: Person; caller: Caller } | null>> {
      const { value, cookies } = await engine.session(headers);
      if (!value) return { value: null, cookies };
      const { session, user } = value;
      const { isOperator, ...member } = await memberOf(user);
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
    livingSessions: (ids: readonly Uuid[]) => store.livingSessions(db, ids, clock.now()),
    removeExpired: (limit: number) => store.removeExpired(db, limit),
  };
}

const toUser = ({ id, email, name, emailVerified }: EngineUser, isOperator: boolean): User => ({
  id,
  email,
  name,
  emailVerified,
  isOperator,
});

/** The account was closed a moment ago, and its people with it. */
const gone = () => new AppError('unauthorized', 'Your account has been closed.', { challenge: false });
/** The one refusal of sign-in, in the words of refusals.ts. */
const wrongPassword = () => new AppError('unauthorized', 'The e-mail or the password is wrong.');

const closed = () =>
  new AppError('forbidden', 'Sign-up is closed here. Ask the operator of this service for an account.');
