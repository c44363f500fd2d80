import { atMostEvery } from '../kernel/at-most-every.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Attempts } from '../limits/attempts.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import type { Engine, WithCookies } from './engine.ts';
import { rememberBrowser } from './known-browsers.ts';
import { openAccount } from './members.ts';
import { insertUser } from './new-user.ts';
import { forgetToken, isGoodToken, noteToken, type OperatorToken } from './operator-token.ts';
import { readOrMakeToken, removeTokenFile } from './operator-token-file.ts';
import { addOperator, hasOperator, lockOperators, operatorPlan } from './operators.ts';
import type { From } from './service.ts';
import type { User } from './user.ts';

type Parts = {
  readonly db: Database;
  readonly engine: Pick<Engine, 'signIn'>;
  readonly hashPassword: (password: string) => Promise<string>;
  readonly attempts: Attempts;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly tokenFile: string;
  readonly signInTries: number;
  readonly publicUrl: string;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
};

export type Newcomer = {
  readonly token: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
};

export type FirstOperator = ReturnType<typeof createFirstOperator>;

const everyMs = 10_000;
const quarterMs = 15 * 60_000;

/** How an installation gets its first operator by the dashboard: whoever can read a file of the server has the token. */
export function createFirstOperator(parts: Parts) {
  const { db, engine, hashPassword, attempts, ids, clock, tokenFile, signInTries, publicUrl, logger } = parts;
  const warn = atMostEvery(3_600_000);
  let timer: NodeJS.Timeout | undefined;
  let noted: OperatorToken | undefined;

  /** Keeps the token good while there is no operator, and takes it away when there is one, made here or elsewhere. */
  async function look(): Promise<void> {
    if (await hasOperator(db)) {
      stop();
      await removeTokenFile(tokenFile);
      return;
    }
    const token = await readOrMakeToken(tokenFile);
    await noteToken(db, token);
    if (token === noted) return;
    // Whoever deletes the file wants another token.
    if (noted) await forgetToken(db, noted);
    noted = token;
    logger.warn(
      { file: tokenFile },
      'no operator yet: use the token in this file to create the first operator',
    );
  }

  const lookOrWarn = () =>
    look().catch(error => {
      // Others say that PostgreSQL is away; the next look comes soon.
      if (error instanceof AppError) return;
      warn(() =>
        logger.warn(
          { err: error, file: tokenFile },
          'no token for the first operator: use signpost admin create-user EMAIL --operator',
        ),
      );
    });

  function stop(): void {
    clearInterval(timer);
  }

  return {
    start(): void {
      timer = setInterval(lookOrWarn, everyMs);
      void lookOrWarn();
    },
    stop,

    /** Makes the first operator and signs in. The password is worked out before the transaction, which is short. */
    async become({ token, name, email, password }: Newcomer, from: From): Promise<WithCookies<User>> {
      refuseCommonPassword(password, { name, email });
      const giveBack = await attempts.take({
        what: 'first-operator',
        subject: from.address,
        limit: signInTries,
        windowMs: quarterMs,
      });
      await requireGood(db, token);
      await giveBack();
      const hash = await hashPassword(password);
      const user = { id: ids.next(), name, email: email.toLowerCase(), at: clock.now() };
      await db.transaction(async tx => {
        await lockOperators(tx);
        // Of many with the token the first has ended it for the others.
        await requireGood(tx, token);
        await insertUser(tx, user, { id: ids.next(), hash });
        const account = { id: ids.next(), name, plan: operatorPlan, createdAt: user.at };
        await openAccount(tx, { ...account, ownerId: user.id });
        await addOperator(tx, user.id, user.at);
      });
      await removeTokenFile(tokenFile).catch(error =>
        logger.warn({ err: error, file: tokenFile }, 'used token not removed: it does nothing any more'),
      );
      logger.info('first operator made by the token');
      const { cookies } = await engine.signIn({ email: user.email, password }, from.headers);
      const known = await rememberBrowser(db, user.id, clock.now(), publicUrl);
      const value = { id: user.id, name, email: user.email, emailVerified: true, isOperator: true };
      return { value, cookies: [...cookies, known] };
    },
  };
}

async function requireGood(db: Database, token: string): Promise<void> {
  if (await hasOperator(db))
    throw new AppError('forbidden', 'This service has an operator already. Ask them for an account.');
  if (!(await isGoodToken(db, token))) {
    throw new AppError(
      'forbidden',
      'This is not the token of this server. It is in the file first-operator-token; the log says where.',
      { param: 'token' },
    );
  }
}
