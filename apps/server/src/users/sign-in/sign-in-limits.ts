import type { Uuid } from '../../kernel/ids.ts';
import type { AttemptLimit } from '../../limits/attempts.ts';

type SignInAttempt = {
  readonly email: string;
  readonly address: string;
  /** The known browser of the e-mail's owner; null for any other browser. */
  readonly browser: string | null;
};

const windowMs = 15 * 60_000;

/**
 * The limits that a wrong password counts against: by address and e-mail, by address, and, ten times as high, by e-mail. A
 * browser from which the owner has signed in before has its own limit, which no attacker can exhaust.
 */
export function signInLimits(
  { email, address, browser }: SignInAttempt,
  attempts: number,
): readonly AttemptLimit[] {
  if (browser !== null)
    return [{ what: 'sign-in-known', subject: `${browser} ${email}`, limit: attempts, windowMs }];
  return [
    { what: 'sign-in-from', subject: address, limit: 4 * attempts, windowMs },
    { what: 'sign-in-as-from', subject: `${address} ${email}`, limit: attempts, windowMs },
    { what: 'sign-in-as', subject: email, limit: 10 * attempts, windowMs },
  ];
}

/** For the password of a signed-in user. By session, so that a stolen session cannot exhaust the limit of another. */
export const confirmationLimit = (sessionId: string, attempts: number): AttemptLimit => ({
  what: 'current-password',
  subject: sessionId,
  limit: attempts,
  windowMs,
});

/** Of one user. With each change, an attacker with a stolen password would invalidate the owner's links. */
export const passwordChangesPerDay = 5;

export const changeLimit = (userId: Uuid): AttemptLimit => ({
  what: 'password-change',
  subject: userId,
  limit: passwordChangesPerDay,
  windowMs: 24 * 60 * 60_000,
});
