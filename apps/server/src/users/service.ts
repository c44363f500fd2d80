import type { Caller, Mode, Person } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Attempts } from '../limits/attempts.ts';
import type { Database } from '../platform/postgres.ts';
import type { Engine, EngineUser, WithCookies } from './engine.ts';
import { createQueue } from './queue.ts';
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
  readonly onResetFailed: (error: unknown) => void;
};

/** Where a request comes from, as far as sign-in cares: its cookies, and its address (of IPv6 the /64). */
export type From = { readonly headers: Headers; readonly address: string };

type SignUp = { readonly name: string; readonly email: string; readonly password: string };

export type Users = ReturnType<typeof createUsers>;

const [quarterMs, hourMs] = [15 * 60_000, 60 * 60_000];
const operatorPlan = 'enterprise';

export function createUsers(parts: Parts) {
  const { db, engine, attempts, ids, clock, signInTries, signUpsPerHour } = parts;
  // A first sign-up to a closed service holds a connection while its password is hashed; a crowd must not hold them all.
  const firstSignUps = createQueue(100);

  /** The account of a user, made where it is missing: also of one whose sign-up was cut off in the middle. */
  async function adopt(tx: Database, user: EngineUser): Promise<store.Member> {
    const known = await store.findMember(tx, user.id);
    if (known) return known;
    const isOperator = !(await store.hasMembers(tx));
    await store.insertMember(tx, {
      userId: user.id,
      accountId: ids.next(),
      name: user.name,
      plan: isOperator ? operatorPlan : parts.defaultPlan,
      isOperator,
      at: clock.now(),
    });
    return (await store.findMember(tx, user.id))!;
  }

  const memberOf = async (user: EngineUser) =>
    (await store.findMember(db, user.id)) ??
    (await db.transaction(async tx => {
      await store.lockSignUps(tx);
      return adopt(tx, user);
    }));

  /**
   * Where sign-up is closed one person may still come in, the first. That there is no second takes a lock from the look
   * at who is there to the end, over all processes: the only transaction that waits for the engine, and only until then.
   */
  async function signUpFirst(wanted: SignUp, from: From): Promise<WithCookies<User>> {
    if (await store.hasUsers(db)) throw closed();
    return await firstSignUps.run(() =>
      db.transaction(async tx => {
        await store.lockSignUps(tx);
        if (await store.hasUsers(tx)) throw closed();
        const { value, cookies } = await engine.signUp(wanted, from.headers);
        const { isOperator } = await adopt(tx, value.user);
        return { value: toUser(value.user, isOperator), cookies };
      }),
    );
  }

  const perHour = (what: string, address: string) => ({
    what,
    subject: address,
    limit: signUpsPerHour,
    windowMs: hourMs,
  });

  return {
    async options() {
      const first = !(await store.hasUsers(db));
      return { signUp: first || parts.signUp === 'open', firstUser: first };
    },

    async signUp(wanted: SignUp, from: From): Promise<WithCookies<User>> {
      await attempts.take(perHour('sign-up', from.address));
      if (parts.signUp === 'closed') return await signUpFirst(wanted, from);
      const { value, cookies } = await engine.signUp(wanted, from.headers);
      const { isOperator } = await memberOf(value.user);
      return { value: toUser(value.user, isOperator), cookies };
    },

    async signIn(wanted: { email: string; password: string }, from: From): Promise<WithCookies<User>> {
      const subject = wanted.email.toLowerCase();
      const giveBack = await attempts.take(
        { what: 'sign-in-from', subject: from.address, limit: 4 * signInTries, windowMs: quarterMs },
        { what: 'sign-in-as', subject, limit: signInTries, windowMs: quarterMs },
      );
      const { value, cookies } = await engine.signIn(wanted, from.headers);
      const { isOperator } = await memberOf(value.user);
      await giveBack();
      return { value: toUser(value.user, isOperator), cookies };
    },

    signOut: (from: From) => engine.signOut(from.headers),

    /** Answers before it has looked for anybody, so that neither its words nor its time tell who is known. */
    async requestReset(email: string, from: From): Promise<void> {
      const subject = email.toLowerCase();
      await attempts.take(perHour('reset-from', from.address), {
        ...perHour('reset-of', subject),
        limit: Math.min(5, signUpsPerHour),
      });
      engine.requestReset(subject).catch(parts.onResetFailed);
    },

    async resetPassword(token: string, password: string, from: From): Promise<void> {
      await attempts.take(perHour('reset-with', from.address));
      await engine.reset(token, password);
    },

    async changePassword(person: Person, current: string, next: string, from: From) {
      const giveBack = await attempts.take({
        what: 'change-password',
        subject: person.userId,
        limit: signInTries,
        windowMs: quarterMs,
      });
      const changed = await engine.changePassword(current, next, from.headers);
      await giveBack();
      return changed;
    },

    /** Who is signed in by these cookies, and what the account may do; null for nobody. */
    async find(
      headers: Headers,
      mode: Mode,
    ): Promise<WithCookies<{ person: Person; caller: Caller } | null>> {
      const { value, cookies } = await engine.session(headers);
      if (!value) return { value: null, cookies };
      const { session, user } = value;
      const { accountId, plan, isOperator } = await memberOf(user);
      const person = {
        userId: user.id,
        sessionId: session.id,
        email: user.email,
        name: user.name,
        isOperator,
      };
      const caller = { accountId, plan, mode, via: { kind: 'user', id: user.id } } as const;
      return { value: { person, caller }, cookies };
    },

    setName: (person: Person, name: string) => store.setName(db, person.userId, name, clock.now()),
    accountName: (accountId: Uuid) => store.findAccountName(db, accountId),
    codesUsed: ({ accountId, plan }: Caller) => store.countUsed(db, accountId, plan.quotaScope),
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

const toUser = ({ id, email, name }: EngineUser, isOperator: boolean): User => ({
  id,
  email,
  name,
  isOperator,
});

const closed = () =>
  new AppError('forbidden', 'Sign-up is closed here. Ask the operator of this service for an account.');
