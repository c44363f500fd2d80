import type { BetterAuthOptions } from 'better-auth';

type Session = NonNullable<BetterAuthOptions['session']>;

/** Our names for better-auth's tables and columns. Links in mails are not its own: see email-tokens.ts. */
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
    // Always empty, but the library requires it at its start.
    verification: { modelName: 'auth_verifications', fields: { ...times, expiresAt: 'expires_at' } },
  } as const satisfies BetterAuthOptions;
}
