import type { WriteEvent } from '../../http/audited.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import { throttle } from '../../kernel/running/throttle.ts';
import type { Attempts } from '../../limits/attempts.ts';
import { poll } from '../../platform/background-jobs.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { openAccount } from '../members/member.ts';
import type { Client } from '../service.ts';
import type { Auth, WithCookies } from '../sign-in/auth.ts';
import { refuseCommonPassword } from '../sign-in/common-passwords.ts';
import { rememberBrowser } from '../sign-in/known-browsers.ts';
import { insertUser } from '../sign-in/new-user.ts';
import type { User } from '../user.ts';
import { isValidToken, type OperatorToken, registerToken, unregisterToken } from './operator-token.ts';
import { readOrCreateToken, removeTokenFile } from './operator-token-file.ts';
import { addOperator, hasOperator, lockOperators, operatorPlan } from './operators.ts';

type Parts = {
  readonly db: Database;
  readonly auth: Pick<Auth, 'signIn'>;
  readonly hashPassword: (password: string) => Promise<string>;
  readonly attempts: Attempts;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly tokenFile: string;
  readonly signInAttempts: number;
  readonly publicUrl: string;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
};

export type FirstOperatorForm = {
  readonly token: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
};

export type FirstOperator = ReturnType<typeof createFirstOperator>;

const refreshMs = 10_000;
const attemptWindowMs = 15 * 60_000;

/** Creates the first operator through the dashboard. The proof is a token in a file on the server. */
export function createFirstOperator(parts: Parts) {
  const { db, auth, hashPassword, attempts, ids, clock, tokenFile, signInAttempts, publicUrl, logger } =
    parts;
  const warn = throttle(3_600_000);
  let stopRefreshing: (() => Promise<void>) | undefined;
  let registered: OperatorToken | undefined;

  /** Keeps the token valid while there is no operator, and removes it when there is one, created here or elsewhere. */
  async function refreshToken(): Promise<void> {
    if (await hasOperator(db)) {
      stop();
      await removeTokenFile(tokenFile);
      return;
    }
    const token = await readOrCreateToken(tokenFile);
    await registerToken(db, token);
    if (token === registered) return;
    // An administrator who deletes the file wants another token.
    if (registered) await unregisterToken(db, registered);
    registered = token;
    logger.warn(
      { file: tokenFile },
      'no operator yet: use the token in this file to create the first operator',
    );
  }

  const refreshOrWarn = () =>
    refreshToken().catch(error => {
      // Other parts log that PostgreSQL is down; the next refresh comes soon.
      if (error instanceof AppError) return;
      warn(() =>
        logger.warn(
          { err: error, file: tokenFile },
          'no token for the first operator: use signpost admin create-user EMAIL --operator',
        ),
      );
    });

  function stop(): void {
    void stopRefreshing?.();
  }

  return {
    start(): void {
      stopRefreshing = poll(refreshMs, refreshOrWarn);
    },
    stop,

    /** Creates the first operator and signs in. The password is hashed before the transaction, which stays short. */
    async create(
      { token, name, email, password }: FirstOperatorForm,
      client: Client,
      writeEvent: WriteEvent,
    ): Promise<WithCookies<User>> {
      refuseCommonPassword(password, { name, email });
      const refund = await attempts.take({
        what: 'first-operator',
        subject: client.address,
        limit: signInAttempts,
        windowMs: attemptWindowMs,
      });
      await requireValidToken(db, token);
      await refund();
      const hash = await hashPassword(password);
      const user = { id: ids.next(), name, email: email.toLowerCase(), at: clock.now() };
      await db.transaction(async tx => {
        await lockOperators(tx);
        // Of several people with the token, the first has invalidated it for the others.
        await requireValidToken(tx, token);
        await insertUser(tx, user, { id: ids.next(), hash });
        const account = { id: ids.next(), name, plan: operatorPlan, createdAt: user.at };
        await openAccount(tx, { ...account, ownerId: user.id });
        await addOperator(tx, user.id, user.at);
        await writeEvent(tx, { userId: user.id });
      });
      await removeTokenFile(tokenFile).catch(error =>
        logger.warn(
          { err: error, file: tokenFile },
          'used token file not removed: the token is no longer valid',
        ),
      );
      logger.info('first operator created with the token');
      const { cookies } = await auth.signIn({ email: user.email, password }, client.headers);
      const cookie = await rememberBrowser(db, user.id, clock.now(), publicUrl);
      const value = { id: user.id, name, email: user.email, emailVerified: true, isOperator: true };
      return { value, cookies: [...cookies, cookie] };
    },
  };
}

async function requireValidToken(db: Database, token: string): Promise<void> {
  if (await hasOperator(db))
    throw new AppError('forbidden', 'This service already has an operator. Ask them for an account.');
  if (!(await isValidToken(db, token))) {
    throw new AppError(
      'forbidden',
      'This is not the token of this server. The token is in the file first-operator-token; the log says where.',
      { param: 'token' },
    );
  }
}
