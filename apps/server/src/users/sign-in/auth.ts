import { type BetterAuthOptions, betterAuth } from 'better-auth';
import type pg from 'pg';
import type { Ids, Uuid } from '../../kernel/ids.ts';
import type { Logger } from '../../platform/logger.ts';
import { tables } from '../tables.ts';
import { toAuthError } from './auth-errors.ts';
import type { Passwords } from './passwords.ts';

/**
 * Users, passwords and sessions, by better-auth. Only the functions called here can be reached: none of its routes is
 * mounted, so that routes added by a new version are not exposed.
 */
export type Auth = ReturnType<typeof createAuth>;

/** A result, and the cookies to set with it. */
export type WithCookies<Value> = { readonly value: Value; readonly cookies: readonly string[] };

export type AuthUser = {
  readonly id: Uuid;
  readonly email: string;
  readonly name: string;
  readonly emailVerified: boolean;
};

type Parts = {
  readonly pool: pg.Pool;
  readonly ids: Ids;
  readonly secret: string;
  readonly publicUrl: string;
  readonly sessionDays: number;
  readonly passwordLength: { readonly min: number; readonly max: number };
  readonly passwords: Passwords;
  /** What is stored of a user agent. */
  readonly nameDevice: (userAgent: string) => string;
  readonly logger: Pick<Logger, 'error'>;
};

const daySeconds = 24 * 60 * 60;

export function createAuth(parts: Parts) {
  const { api } = betterAuth(createOptions(parts));

  async function call<Value>(pending: Promise<{ headers: Headers; response: Value }>) {
    try {
      const { headers, response } = await pending;
      return { value: response, cookies: headers.getSetCookie() };
    } catch (error) {
      throw toAuthError(error);
    }
  }

  return {
    signUp: (body: { name: string; email: string; password: string }, headers: Headers) =>
      call(api.signUpEmail({ body, headers, returnHeaders: true })),
    /** Always creates a session with a new token: one that the caller already has is not reused. */
    signIn: (body: { email: string; password: string }, headers: Headers) =>
      call(api.signInEmail({ body, headers, returnHeaders: true })),
    signOut: (headers: Headers) => call(api.signOut({ headers, returnHeaders: true })),
    /** The session of the cookie, read from PostgreSQL every time. */
    session: (headers: Headers) => call(api.getSession({ headers, returnHeaders: true })),
    /** Refuses a password that is not that of the signed-in user. */
    verifyPassword: (password: string, headers: Headers) =>
      call(api.verifyPassword({ body: { password }, headers, returnHeaders: true })),
  };
}

function createOptions(parts: Parts) {
  const { pool, ids, secret, publicUrl, sessionDays, passwordLength, passwords, nameDevice, logger } = parts;
  return {
    appName: 'Signpost',
    baseURL: publicUrl,
    basePath: '/auth',
    secret,
    database: pool,
    ...tables({
      session: {
        expiresIn: sessionDays * daySeconds,
        updateAge: daySeconds,
        // A session that has ended must end everywhere at once, so only the table counts.
        cookieCache: { enabled: false },
      },
    }),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      password: passwords,
    },
    databaseHooks: {
      session: {
        create: {
          before: async session => ({
            data: { ...session, ipAddress: '', userAgent: nameDevice(session.userAgent ?? '') },
          }),
        },
      },
    },
    advanced: {
      cookiePrefix: 'signpost',
      useSecureCookies: publicUrl.startsWith('https:'),
      // Only the dashboard's own pages make calls that need the cookie, so no other site has to send it.
      defaultCookieAttributes: { sameSite: 'strict', httpOnly: true, path: '/' },
      ipAddress: { disableIpTracking: true },
      // Migrations check the schema. Its own check runs while the process is starting, and fails on a busy machine.
      database: { generateId: () => ids.next(), validateSchema: false },
    },
    // Attempts are limited before they get here, across all processes.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (level, message) => {
        if (level === 'error') logger.error({ reason: message }, 'better-auth failed');
      },
    },
  } as const satisfies BetterAuthOptions;
}
