import { AppError } from '../kernel/errors.ts';
import { isAway } from '../platform/postgres.ts';

/** What better-auth refuses, in our words; a fault of its own, or of PostgreSQL behind it, as one to try again. */
export function refusalOf(error: unknown): unknown {
  const { statusCode, body } = (error ?? {}) as { statusCode?: unknown; body?: { code?: unknown } };
  if (typeof statusCode !== 'number') return isAway(error) ? unavailable(error) : error;
  const known = words[String(body?.code)];
  if (known) return new AppError(known[0], known[1], { ...known[2], cause: error });
  if (statusCode === 401) return new AppError('unauthorized', 'You are not signed in.', { cause: error });
  if (statusCode < 500) return new AppError('invalid_request', 'This is not possible.', { cause: error });
  return unavailable(error);
}

const unavailable = (cause: unknown) =>
  new AppError('unavailable', 'Sign-in is not possible for a moment. Try again shortly.', {
    cause,
    retryAfterSeconds: 1,
  });

const taken = [
  'invalid_request',
  'Somebody has signed up with this e-mail already. Sign in, or ask for a new password.',
  { param: 'email' },
] as const;

const words: Readonly<
  Record<
    string,
    readonly ['invalid_request' | 'unauthorized', string, ({ readonly param: string } | undefined)?]
  >
> = {
  INVALID_EMAIL_OR_PASSWORD: ['unauthorized', 'The e-mail or the password is wrong.'],
  INVALID_EMAIL: ['invalid_request', 'email is not an e-mail address.', { param: 'email' }],
  USER_ALREADY_EXISTS: taken,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: taken,
  // By then it was looked for and not found: another sign-up with the same e-mail was faster.
  FAILED_TO_CREATE_USER: taken,
  INVALID_PASSWORD: ['invalid_request', 'The current password is wrong.', { param: 'current_password' }],
};
