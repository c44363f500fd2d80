import { AppError } from '../../kernel/errors.ts';
import { isPostgresOutage } from '../../platform/postgres/postgres.ts';

/** Translates errors of better-auth into ours. A failure of its own, or of PostgreSQL, is one to retry. */
export function toAuthError(error: unknown): unknown {
  const { statusCode, body } = (error ?? {}) as { statusCode?: unknown; body?: { code?: unknown } };
  if (typeof statusCode !== 'number') return isPostgresOutage(error) ? unavailable(error) : error;
  const known = messages[String(body?.code)];
  if (known) return new AppError(known[0], known[1], { ...known[2], cause: error });
  if (statusCode === 401) return new AppError('unauthorized', 'You are not signed in.', { cause: error });
  if (statusCode < 500) return new AppError('invalid_request', 'This is not possible.', { cause: error });
  return unavailable(error);
}

const unavailable = (cause: unknown) =>
  new AppError('unavailable', "You can't sign in right now. Try again in a moment.", {
    cause,
    retryAfterSeconds: 1,
  });

const emailTaken = [
  'invalid_request',
  'An account with this e-mail address already exists. Sign in, or get a new password.',
  { param: 'email' },
] as const;

const messages: Readonly<
  Record<
    string,
    readonly ['invalid_request' | 'unauthorized', string, ({ readonly param: string } | undefined)?]
  >
> = {
  INVALID_EMAIL_OR_PASSWORD: ['unauthorized', 'Wrong e-mail or password.'],
  INVALID_EMAIL: ['invalid_request', 'This is not an e-mail address.', { param: 'email' }],
  USER_ALREADY_EXISTS: emailTaken,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: emailTaken,
  // The address was free a moment ago: a concurrent sign-up took it.
  FAILED_TO_CREATE_USER: emailTaken,
  INVALID_PASSWORD: ['invalid_request', 'The current password is wrong.', { param: 'current_password' }],
};
