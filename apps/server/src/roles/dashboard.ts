import { fileURLToPath } from 'node:url';
import { passwordLength } from '@signpost/contract';
import type { Accounts, KeyForgetter } from '../accounts/service.ts';
import type { App } from '../http/app.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { createSlidingWindows } from '../kernel/sliding-windows.ts';
import { createAttempts } from '../limits/attempts.ts';
import { createOwnTimePool } from '../platform/own-time-pool.ts';
import type { Database } from '../platform/postgres.ts';
import { createRedis } from '../platform/redis.ts';
import { createPausing } from '../qrcodes/pausing.ts';
import type { LinkDropper } from '../qrcodes/service.ts';
import { browserOf, deviceOf } from '../scans/device.ts';
import type { StopTeller } from '../stops/stop.ts';
import { createEngine, hashPassword, verifyPassword } from '../users/engine.ts';
import { createFirstOperator } from '../users/first-operator.ts';
import { createSessionGuard } from '../users/guard.ts';
import { createMailer } from '../users/mailer.ts';
import { createNotices } from '../users/notices.ts';
import { tokenFileOf } from '../users/operator-token-file.ts';
import { createOutbox } from '../users/outbox.ts';
import { createPasswordChange } from '../users/password-change.ts';
import { createRecovery } from '../users/recovery.ts';
import { createRelease } from '../users/release.ts';
import { createUsers } from '../users/service.ts';
import { disableEndpointsOf } from '../webhooks/store.ts';
import { ownPools } from './pool-sizes.ts';
import type { Shared } from './shared.ts';

/** What people need besides what programs do; null without a secret, and then there is no dashboard. */
export type People = ReturnType<typeof buildPeople>;

/** Where `npm run build` puts the files of the dashboard. */
export const dashboardRoot = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url));

/** Sign-in waits longer for Redis than a rate limit may: it cannot do without. */
const redisTimeoutMs = 1000;

export function buildPeople(
  { config, logger, lifecycle, clock, metrics, pools }: Shared,
  db: Database,
  ids: Ids,
  accounts: Pick<Accounts, 'revokeAll'>,
  held: { readonly links: LinkDropper & StopTeller; readonly forgetter: KeyForgetter },
) {
  if (config.authSecret === '') {
    logger.warn('the dashboard is off: set AUTH_SECRET to turn it on');
    return null;
  }
  const pool = createOwnTimePool(
    { ...config, databasePoolSize: ownPools['sign-in'] },
    clock,
    error => logger.warn({ err: error }, 'postgres connection lost'),
    pools.of('sign-in'),
  );
  lifecycle.defer('postgres of sign-in', () => pool.end());
  const redis = createRedis(
    { ...config, redisTimeoutMs },
    error => logger.debug({ err: error }, 'redis connection error'),
    { patient: true },
  );
  lifecycle.defer('redis of sign-in', () => redis.disconnect());

  const engine = createEngine({
    pool,
    ids,
    secret: config.authSecret,
    publicUrl: config.publicUrl,
    sessionDays: config.sessionDays,
    password: passwordLength,
    nameDevice,
    logger,
  });
  const attempts = createAttempts({ redis, secret: config.authSecret, timeoutMs: redisTimeoutMs });
  const outbox = createOutbox({
    onOutcome(kind, outcome, { error, shed = 'limit reached' }) {
      metrics.mails.inc({ kind, outcome });
      // What a mail server says often repeats the address; its code does not.
      if (outcome === 'failed') logger.error({ kind, ...codesOf(error) }, 'mail not sent');
      if (outcome === 'shed') logger.warn({ kind }, `mail dropped: ${shed}`);
    },
  });
  lifecycle.defer('mail', () => outbox.close());
  const send = createMailer(config);
  const notices = createNotices({ ...config, db, clock, attempts, outbox, send });
  const users = createUsers({ ...config, db, engine, attempts, ids, clock, notices, nameDevice });
  const passwordChange = createPasswordChange({
    ...config,
    db,
    engine,
    attempts,
    ids,
    clock,
    notices,
    hashPassword,
    verifyPassword,
  });
  const recovery = createRecovery({
    ...config,
    db,
    attempts,
    ids,
    clock,
    notices,
    keys: accounts,
    leftBehind: {
      pauseCodes: createPausing({ ids, clock, links: held.links }),
      disableWebhooks: (tx, accountId) => disableEndpointsOf(tx, accountId, clock.now()),
    },
    release: createRelease({ clock, stops: held.links, forgetter: held.forgetter }),
    hashPassword,
  });
  const firstOperator = createFirstOperator({
    ...config,
    db,
    engine,
    hashPassword,
    attempts,
    ids,
    clock,
    logger,
    tokenFile: tokenFileOf(config.spoolDir),
  });
  firstOperator.start();
  lifecycle.defer('first operator', () => firstOperator.stop());
  const guard = createSessionGuard({
    users,
    windows: createSlidingWindows({ windowMs: 60_000, maxKeys: 100_000 }),
    callsPerMinute: config.sessionCallsPerMinute,
    strangersPerMinute: config.anonymousRequestsPerMinute,
    publicUrl: config.publicUrl,
  });
  return { users, recovery, passwordChange, firstOperator, guard, notices, sendsMail: notices.sendsMail };
}

/** Says why there is nobody to sign in with, on every path where there would be. */
export function addAbsence(app: App): void {
  const absent = async () => {
    throw new AppError('unavailable', 'The dashboard is off: its operator has not set AUTH_SECRET.');
  };
  for (const url of ['/auth/*', '/account/*']) app.all(url, absent);
}

const codesOf = (error: unknown) => {
  const { name, code, responseCode } = (error ?? {}) as {
    name?: string;
    code?: string;
    responseCode?: number;
  };
  return { name, code, responseCode };
};

/** What is kept of a user agent: enough to tell one's own sessions apart. */
const nameDevice = (userAgent: string) =>
  `${browserWords[browserOf(userAgent)]} on ${deviceWords[deviceOf(userAgent)]}`;

const browserWords = {
  safari: 'Safari',
  chrome: 'Chrome',
  samsung_browser: 'Samsung Internet',
  firefox: 'Firefox',
  edge: 'Edge',
  other: 'Another browser',
};

const deviceWords = {
  ios: 'an iPhone or iPad',
  android: 'Android',
  desktop: 'a computer',
  other: 'another device',
};
