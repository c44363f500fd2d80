import type { ErrorCode, ProblemCode } from '@signpost/contract';

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

/** Messages of codes that stand for many things, word for word but for what stands between braces: the others stay in English. */
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
  | 'There is no appeal to answer, or the suspension was already released.'
  | 'Only an owner may make, change or remove an owner. Ask one of them.'
  | 'Only an owner may invite an owner, or change such an invitation. Ask one.'
  | 'This account is suspended and can invite nobody.'
  | 'Confirm your e-mail address before you invite people: the invitation names it. Settings can send the link again.'
  | 'An account can send {account} invitations within 24 hours, and an address can get {address}. Try again later.'
  | 'The plan includes {limit} people, and the account has {used}, pending invitations included. Remove somebody, revoke an invitation, or change the plan.'
  | '{used} invitations are pending, and an account can have {limit}. Revoke one first.'
  | 'The person who invited you may no longer do so. Ask somebody else in the account for a new invitation.'
  | 'This invitation is for {email}. Sign in or sign up with that e-mail address, or ask for an invitation to yours.'
  | 'Confirm your e-mail address first, then open the link of the invitation again. Settings can send the link that confirms it.'
  | 'You already have a sign-in with this e-mail address. Sign in, then open the link of the invitation again.'
  | 'Nobody can join this account at the moment. Ask the person who invited you.'
  | 'The account has as many people as its plan includes. Ask the person who invited you.'
  | 'This server sends no mail, so a new e-mail address cannot be confirmed. Ask the operator to set up mail.'
  | 'Another account on this server already uses this e-mail address. Your address was not changed.'
  | 'This link is for a different account than the one you are signed in to. Sign in to the account that you created with this e-mail address, then open the link again. If you did not create one, ignore the e-mail.'
  | 'Your session has ended. Sign in again.'
  | 'An account of yours is suspended. Until it is released, you cannot create another one.'
  | 'You own {used} accounts, and a person can own {limit}. Close one, or hand one over.'
  | 'This service already has an operator. Ask them for an account.'
  | 'This is not an e-mail address.'
  | "A draft can't be paused. Publish it first."
  | 'This webhook is turned off. Turn it on first.'
  | 'This webhook no longer subscribes to {event}. Add it to its events first.'
  | 'expires_at must be a time in the future. Leave it out for a link without an end.'
  | 'expires_at must be in the future. To end the key now, revoke it.'
  | 'allowed_cidrs[{index}] must be an address such as 203.0.113.7 or a network such as 203.0.113.0/24 or 2001:db8::/32.'
  | 'Confirm your e-mail address first: until then figures of this account cannot be shared.'
  | 'An account has at most {maxKeys} keys at a time. Revoke one that is not used.'
  | 'Confirm your e-mail address first: open the link in the e-mail we sent when you signed up, or get a new one in your account settings. Until then you can create test keys.'
  | 'current_password is required, since the key may do more than before. Send the password of the user.'
  | 'The account is closed. Its links no longer work.'
  | 'There is no letter for "{missing}" in the font of frames.'
  | 'The filter matches {total} codes. At most {maxSheetCodes} fit into one file; narrow it or send qr_ids.'
  | 'The tag has more than {maxCodes} codes. Choose a tag with fewer, or ask for all codes.'
  | 'The picture is larger than 512 KiB.'
  | 'Only codes whose dots and corners are nearly black can be printed in black ink alone. Ask for rgb.'
  | 'created_to is before created_from. Exchange the two.'
  | 'This needs the permission {permission}, which you have no longer. Ask an owner of the account.'
  | 'This e-mail address is not confirmed: somebody else may have signed up with it.';

/** What is wrong with a value, whichever field has it; its values stand between braces. */
type ProblemKey = `problem:${ProblemCode}`;

export type ServerMessages = Readonly<Record<Code | Sentence | ProblemKey, string>>;

/** In English the server's own words are shown; the build of another language puts its own here (translate.ts). */
export const serverMessages: Partial<ServerMessages> = {};
