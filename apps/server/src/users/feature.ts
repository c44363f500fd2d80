import { passwordLength } from '@signpost/contract';
import type { Config } from '../config/config.ts';
import type { App } from '../http/app.ts';
import type { Routes } from '../http/routes.ts';
import type { ClientAddress } from '../kernel/addresses/client-address.ts';
import type { LinkNames } from '../kernel/addresses/link-names.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Lifecycle } from '../kernel/running/lifecycle.ts';
import { runService } from '../kernel/running/run-service.ts';
import type { Limiters } from '../limits/limiters.ts';
import { createSlidingWindows } from '../limits/sliding-windows.ts';
import { createBackgroundJobs } from '../platform/background-jobs.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import { createClockCorrectedPool } from '../platform/postgres/clock-corrected-pool.ts';
import type { PoolMetrics } from '../platform/postgres/pool-metrics.ts';
import { closePool, type Database } from '../platform/postgres/postgres.ts';
import { createRemovalJob } from '../platform/postgres/removal-job.ts';
import type { StopNotifier } from '../redirect/changes/stops/stop.ts';
import { aboutService } from './about-service.ts';
import { type CloseAccount, createAccountClosing } from './account-closing.ts';
import { createReleaseHeldAccounts } from './held-accounts.ts';
import { createJoining } from './invitations/joining.ts';
import { addInvitationRoutes } from './invitations/routes.ts';
import { createInvitations } from './invitations/service.ts';
import { createMailer } from './mailer.ts';
import { createOwnAccounts } from './members/own-accounts.ts';
import { createPeople } from './members/people.ts';
import { addMemberRoutes } from './members/routes.ts';
import { createNotifications } from './notifications.ts';
import { createFirstOperator } from './operators/first-operator.ts';
import { createOperatorPeople } from './operators/operator-people.ts';
import { toTokenFilePath } from './operators/operator-token-file.ts';
import { createOutbox } from './outbox.ts';
import { createEmailChanges } from './recovery/email-change.ts';
import { createRecovery } from './recovery/recovery.ts';
import { addUserRoutes } from './routes.ts';
import { createUsers } from './service.ts';
import { createAuth } from './sign-in/auth.ts';
import { addDisabledRoutes } from './sign-in/disabled-routes.ts';
import { createSessionGuard } from './sign-in/guard.ts';
import { createPasswordChange } from './sign-in/password-change.ts';
import { type Passwords, scryptPasswords } from './sign-in/passwords.ts';

type Parts = {
  readonly app: App;
  readonly routes: Routes;
  readonly config: Config;
  readonly linkNames: LinkNames;
  readonly limiters: Pick<Limiters, 'attempts'>;
  readonly db: Database;
  readonly pools: PoolMetrics;
  readonly onConnectionLost: (error: Error) => void;
  readonly metrics: Pick<Metrics, 'mails'>;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly clientAddress: ClientAddress;
  readonly redirects: StopNotifier;
  readonly passwords?: Passwords;
};

/** What sign-in and recovery do in other features. */
type Others = {
  readonly keys: Parameters<typeof createRecovery>[0]['keys'];
  readonly keyInvalidator: Parameters<typeof createReleaseHeldAccounts>[0]['keyInvalidator'];
  readonly pauseCodes: Parameters<typeof createRecovery>[0]['remainingAccess']['pauseCodes'];
  readonly disableWebhooks: (tx: Database, accountId: Uuid, createdBy?: Uuid) => Promise<number>;
  readonly copyDesigns: (tx: Database, from: Uuid, to: Uuid) => Promise<void>;
  readonly countScans: Parameters<typeof createOwnAccounts>[0]['countScans'];
  readonly closeAccount: CloseAccount;
  readonly ownSuspension: Parameters<typeof addUserRoutes>[1]['ownSuspension'];
  /** What is stored of a user agent. */
  readonly nameDevice: (userAgent: string) => string;
  /** Connections to PostgreSQL for sign-in. */
  readonly poolSize: number;
};

/**
 * People: sign-in, sessions, mail and recovery; authenticates callers by session. Without AUTH_SECRET there is no
 * dashboard: its paths say so, and the result is null.
 */
export function registerUsers(parts: Parts, others: Others) {
  const { app, routes, config, linkNames, db, metrics, logger, lifecycle, clock, ids } = parts;
  const { clientAddress, redirects } = parts;
  const { passwords = scryptPasswords } = parts;
  if (config.authSecret === '') {
    logger.warn('the dashboard is off: set AUTH_SECRET to turn it on');
    addDisabledRoutes(app);
    return null;
  }
  const { nameDevice } = others;
  const auth = createAuth({
    pool: openSignInPool(parts, others.poolSize),
    ids,
    secret: config.authSecret,
    publicUrl: config.publicUrl,
    sessionDays: config.sessionDays,
    passwordLength,
    passwords,
    nameDevice,
    logger,
  });
  const attempts = parts.limiters.attempts(config.authSecret);
  const notifications = createNotifications({
    ...config,
    db,
    clock,
    attempts,
    outbox: openOutbox(logger, lifecycle, metrics),
    send: createMailer(config),
  });
  const common = { ...config, db, auth, attempts, ids, clock, notifications, hashPassword: passwords.hash };
  const releaseHeldAccounts = createReleaseHeldAccounts({
    clock,
    stops: redirects,
    keyInvalidator: others.keyInvalidator,
  });
  const joining = createJoining(common);
  const invitations = createInvitations(common);
  const users = createUsers({ ...common, joining, nameDevice, logger });
  const passwordChange = createPasswordChange({ ...common, verifyPassword: passwords.verify });
  const recovery = createRecovery({
    ...common,
    keys: others.keys,
    remainingAccess: { pauseCodes: others.pauseCodes, disableWebhooks: others.disableWebhooks },
    releaseHeldAccounts,
  });
  const emailChanges = createEmailChanges({ ...common, users, releaseHeldAccounts });
  const closing = createAccountClosing({ ...common, users, closeAccount: others.closeAccount });
  const firstOperator = createFirstOperator({
    ...common,
    logger,
    tokenFile: toTokenFilePath(config.spoolDir),
  });
  runService(lifecycle, 'first operator', firstOperator);
  const removal = createRemovalJob('sessions', users.removeExpired, logger);
  runService(lifecycle, 'expired sessions', createBackgroundJobs(logger, [removal]));
  const guard = createSessionGuard({
    users,
    windows: createSlidingWindows({ windowMs: 60_000, maxKeys: 100_000 }),
    callsPerMinute: config.sessionCallsPerMinute,
    anonymousPerMinute: config.anonymousRequestsPerMinute,
    publicUrl: config.publicUrl,
  });
  app.addAuthenticators({
    session: (request, address) => guard.authenticate(request, address, false),
    anonymousSameSite: (request, address) => guard.authenticate(request, address, true),
  });
  addUserRoutes(routes, {
    users,
    firstOperator,
    recovery,
    passwordChange,
    emailChanges,
    closing,
    invitations,
    sendsMail: notifications.sendsMail,
    clientAddress,
    service: aboutService(config, linkNames),
    linkNames,
    ownSuspension: others.ownSuspension,
  });
  addMemberRoutes(routes, {
    people: createPeople(common),
    ownAccounts: createOwnAccounts({
      ...common,
      copyDesigns: others.copyDesigns,
      countScans: others.countScans,
    }),
  });
  addInvitationRoutes(routes, { invitations, joining });
  const forOperators = createOperatorPeople({ clock, notifications, publicUrl: config.publicUrl });
  return { users, notifications, forOperators, inviteOwner: invitations.inviteOwner };
}

function openSignInPool({ config, clock, onConnectionLost, lifecycle, pools }: Parts, poolSize: number) {
  const pool = createClockCorrectedPool(
    { ...config, databasePoolSize: poolSize },
    clock,
    onConnectionLost,
    pools.observerFor('sign-in'),
  );
  lifecycle.defer('postgres of sign-in', () => closePool(pool));
  return pool;
}

function openOutbox(logger: Logger, lifecycle: Lifecycle, metrics: Parts['metrics']) {
  const outbox = createOutbox({
    onOutcome(kind, outcome, { error, shed = 'limit reached' }) {
      metrics.mails.inc({ kind, outcome });
      // The text of a mail server's error often repeats the address; its codes do not.
      if (outcome === 'failed') logger.error({ kind, ...pickErrorCodes(error) }, 'mail not sent');
      if (outcome === 'shed') logger.warn({ kind }, `mail dropped: ${shed}`);
    },
  });
  lifecycle.defer('mail', () => outbox.close());
  return outbox;
}

const pickErrorCodes = (error: unknown) => {
  const { name, code, responseCode } = (error ?? {}) as {
    name?: string;
    code?: string;
    responseCode?: number;
  };
  return { name, code, responseCode };
};
