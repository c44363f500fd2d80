import type { ErrorCode } from '@signpost/contract';

/** Codes of the server that mean one thing each, whatever else its message says. */
type Code = Extract<
  ErrorCode,
  | 'invalid_url'
  | 'invalid_short_code'
  | 'reserved_short_code'
  | 'unscannable_style'
  | 'plan_required'
  | 'quota_exceeded'
  | 'destination_blocked'
  | 'short_code_taken'
  | 'external_id_taken'
  | 'placement_taken'
  | 'count_changed'
  | 'last_owner'
  | 'asset_in_use'
  | 'precondition_failed'
  | 'gone'
  | 'payload_too_large'
  | 'rate_limit_exceeded'
  | 'internal_error'
  | 'unavailable'
  | 'timeout'
  | 'no_account'
  | 'not_found'
>;

/** Messages of codes that stand for many things, word for word: only these are translated, and the others stay in English. */
type Sentence =
  | 'Wrong e-mail or password.'
  | 'You are not signed in.'
  | 'You are not signed in, or your session has ended. Sign in again.'
  | 'This account has been closed.'
  | 'The current password is wrong.'
  | 'This is your current password. Choose a different one.'
  | 'This password is easy to guess: it is common, a simple pattern, or made of your e-mail address or name. Choose another one, such as four random words.'
  | 'An account with this e-mail address already exists. Sign in, or get a new password.'
  | 'This link was already used, has expired, or stopped working when the password changed. Get a new one.'
  | 'This is already your e-mail address.'
  | 'This is not your e-mail address.'
  | 'This invitation was already used, revoked or replaced, or has expired. Ask for a new one.'
  | 'A person with this e-mail address already belongs to the account.'
  | 'Sign-up is closed. Ask the operator of this server for an account.'
  | 'This is not the token of this server. The token is in the file first-operator-token; the log says where.'
  | 'expires_at must be later than starts_at.'
  | 'There is no appeal to answer, or the suspension was already released.';

export type ServerMessages = Readonly<Record<Code | Sentence, string>>;

/** In English the server's own words are shown; the build of another language puts its own here (translate.ts). */
const translated: Partial<ServerMessages> = {};

/** What the server says, in the language of this dashboard as far as that has words for it. */
export const inOwnWords = (code: string, message: string): string => {
  const known: Readonly<Record<string, string | undefined>> = translated;
  return known[message] ?? known[code] ?? message;
};
