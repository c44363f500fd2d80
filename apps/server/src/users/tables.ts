import type { BetterAuthOptions } from 'better-auth';

type Session = NonNullable<BetterAuthOptions['session']>;

/** What better-auth calls its tables and columns, and what they are called here. See migration 0009. Links in mails are ours: see email-tokens.ts. */
export function tables({ session }: { readonly session: Session }) {
  const times = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;
  return {
    user: { modelName: 'auth_users', fields: { ...times, emailVerified: 'email_verified' } },
    session: {
      ...session,
      modelName: 'auth_sessions',
      fields: {
        ...times,
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'device',
      },
    },
    account: {
      modelName: 'auth_credentials',
      fields: {
        ...times,
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
      },
    },
    // Always empty: it is asked for when the library starts.
    verification: { modelName: 'auth_verifications', fields: { ...times, expiresAt: 'expires_at' } },
  } as const satisfies BetterAuthOptions;
}
