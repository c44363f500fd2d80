import type { Uuid } from '../kernel/ids.ts';
import type { AttemptLimit } from '../limits/attempts.ts';

type Try = {
  readonly email: string;
  readonly address: string;
  /** Which browser of this e-mail's owner it is; null for one that they have not signed in from. */
  readonly browser: string | null;
};

const windowMs = 15 * 60_000;

/**
 * What a wrong password counts against. Strangers share limits by address and e-mail, by address, and, ten times as wide,
 * by e-mail alone. A browser that its owner has signed in from before has a limit of its own: no stranger can use it up.
 */
export function signInLimits({ email, address, browser }: Try, tries: number): readonly AttemptLimit[] {
  if (browser !== null)
    return [{ what: 'sign-in-known', subject: `${browser} ${email}`, limit: tries, windowMs }];
  return [
    { what: 'sign-in-from', subject: address, limit: 4 * tries, windowMs },
    { what: 'sign-in-as-from', subject: `${address} ${email}`, limit: tries, windowMs },
    { what: 'sign-in-as', subject: email, limit: 10 * tries, windowMs },
  ];
}

/** The password of who is signed in, asked again: for each session, so that a stolen one cannot use up another's. */
export const confirmationLimit = (sessionId: string, tries: number): AttemptLimit => ({
  what: 'current-password',
  subject: sessionId,
  limit: tries,
  windowMs,
});

/** In a day, of one person. Whoever has a stolen password ends the owner's links with each change. */
export const passwordChangesPerDay = 5;

export const changeLimit = (userId: Uuid): AttemptLimit => ({
  what: 'password-change',
  subject: userId,
  limit: passwordChangesPerDay,
  windowMs: 24 * 60 * 60_000,
});
