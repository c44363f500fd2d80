import type { Database } from '../platform/postgres/postgres.ts';
import { insertFailedSignIn } from './store.ts';

/** In the log of each account of the person, at most ten in an hour; nowhere where nobody has this address. */
export async function recordFailedSignInAttempt(
  on: Database,
  email: string,
  requestId: string,
): Promise<void> {
  await on.query(insertFailedSignIn, [email.toLowerCase(), requestId]);
}
