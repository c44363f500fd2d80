import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import type pg from 'pg';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Logger } from '../platform/logger.ts';
import { refusalOf } from './refusals.ts';
import { tables } from './tables.ts';

/**
 * Users, passwords and sessions, by better-auth. Only the functions called here can be reached: none of its routes is
 * mounted, so what a new version of it brings along is not on the network.
 */
export type Engine = ReturnType<typeof createEngine>;

/** What came of it, and the cookies to set. */
export type WithCookies<Value> = { readonly value: Value; readonly cookies: readonly string[] };

export type EngineUser = {
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
  readonly password: { readonly least: number; readonly most: number };
  /** What is kept of a user agent. */
  readonly nameDevice: (userAgent: string) => string;
  readonly logger: Pick<Logger, 'error'>;
};

/** By scrypt, off the process's own thread, as sign-up and sign-in do it. */
export { hashPassword, verifyPassword };

const daySeconds = 24 * 60 * 60;

export function createEngine(parts: Parts) {
  const { api } = betterAuth(optionsOf(parts));

  async function call<Value>(work: Promise<{ headers: Headers; response: Value }>) {
    try {
      const { headers, response } = await work;
      return { value: response, cookies: headers.getSetCookie() };
    } catch (error) {
      throw refusalOf(error);
    }
  }

  return {
    signUp: (body: { name: string; email: string; password: string }, headers: Headers) =>
      call(api.signUpEmail({ body, headers, returnHeaders: true })),
    /** Always a session of a new name: one that the caller brings along is neither used nor kept. */
    signIn: (body: { email: string; password: string }, headers: Headers) =>
      call(api.signInEmail({ body, headers, returnHeaders: true })),
    signOut: (headers: Headers) => call(api.signOut({ headers, returnHeaders: true })),
    /** Who the cookie says, asked of PostgreSQL every time. */
    session: (headers: Headers) => call(api.getSession({ headers, returnHeaders: true })),
    /** Refuses a password that is not the one of who is signed in. */
    verifyPassword: (password: string, headers: Headers) =>
      call(api.verifyPassword({ body: { password }, headers, returnHeaders: true })),
  };
}

function optionsOf(parts: Parts) {
  const { pool, ids, secret, publicUrl, sessionDays, password, nameDevice, logger } = parts;
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
        // A session that has ended must end everywhere at once: nothing is believed that is not in the table.
        cookieCache: { enabled: false },
      },
    }),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: password.least,
      maxPasswordLength: password.most,
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
      // The dashboard's own pages make every call that needs the cookie, so no other site ever has to send it.
      defaultCookieAttributes: { sameSite: 'strict', httpOnly: true, path: '/' },
      ipAddress: { disableIpTracking: true },
      database: { generateId: () => ids.next() },
    },
    // Attempts are limited in front of it, over all processes.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (level, message) => {
        if (level === 'error') logger.error({ said: message }, 'sign-in engine failed');
      },
    },
  } as const satisfies BetterAuthOptions;
}
