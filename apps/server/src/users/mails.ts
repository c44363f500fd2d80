import type { Mode } from '../kernel/caller.ts';

/**
 * A mail in plain text. It contains nothing that a person typed, except a short link, and the confirmed address of a person who
 * invites: anyone can sign up with any address, and must not be able to send their own text to its owner.
 */
export type Mail = { readonly kind: MailKind; readonly subject: string; readonly text: string };

const mailKinds = [
  'reset',
  'verify',
  'new-key',
  'new-password',
  'new-browser',
  'suspended',
  'released',
  'change-email',
  'email-changing',
  'email-changed',
  'closed',
  'removed',
  'invitation',
  'deletions',
  'destinations',
] as const;
export type MailKind = (typeof mailKinds)[number];

export const resetMail = (link: string): Mail => ({
  kind: 'reset',
  subject: 'Set a new password',
  text: `Set a new password for your Signpost account. This link works once, for one hour:

${link}

If you didn't ask for this, ignore this e-mail. Your password stays the same.
`,
});

export const verifyMail = (link: string): Mail => ({
  kind: 'verify',
  subject: 'Confirm your e-mail address',
  text: `Confirm your e-mail address to finish setting up your Signpost account. This link works for 24 hours:

${link}

If you didn't create this account, ignore this e-mail and don't open the link. The address stays unconfirmed.
`,
});

export const newKeyMail = (mode: Mode, at: Date, publicUrl: string): Mail => ({
  kind: 'new-key',
  subject: `New ${mode} API key in your account`,
  text: `A new ${mode} API key was created in your Signpost account on ${formatTime(at)}. See your keys:

${publicUrl}/app/settings/keys

${ifNotYou('revoke the key there, then set a new password', publicUrl)}
`,
});

export const newPasswordMail = (at: Date, publicUrl: string): Mail => ({
  kind: 'new-password',
  subject: 'Your password was changed',
  text: `The password of your Signpost account was changed on ${formatTime(at)}. All other devices were signed out.

${ifNotYou('set a new password now', publicUrl)}
`,
});

export const destinationsMail = (codes: number, at: Date, publicUrl: string): Mail => ({
  kind: 'destinations',
  subject: `${codes} of your codes lead elsewhere now`,
  text: `The destinations of ${codes} codes in your Signpost account were changed within a few minutes, the last on ${formatTime(at)}. The page of each code shows who changed it, and what it was before:

${publicUrl}/app/codes

${ifNotYou('revoke API keys that you do not know, then set a new password', publicUrl)}
`,
});

export const deletionsMail = (codes: number, at: Date, publicUrl: string): Mail => ({
  kind: 'deletions',
  subject: `${codes} of your codes were deleted`,
  text: `${codes} codes in your Signpost account were deleted within a few minutes, the last on ${formatTime(at)}. Printed copies no longer work. If that is a mistake, create new codes with the same link endings: only your account can use them again. Their earlier scans stay deleted.

${publicUrl}/app/codes

${ifNotYou('revoke API keys that you do not know, then set a new password', publicUrl)}
`,
});

/** `device` is our own description, not text from the browser. */
export const newBrowserMail = (device: string, at: Date, publicUrl: string): Mail => ({
  kind: 'new-browser',
  subject: 'New sign-in to your account',
  text: `Your Signpost account was signed in to from a new browser: ${device}, on ${formatTime(at)}. See where you're signed in:

${publicUrl}/app/settings/account

${ifNotYou('set a new password, which signs out every device', publicUrl)}
`,
});

/** The reason is shown only in the dashboard, because it may quote a report. `link` is the code's; null for the account. */
export const suspendedMail = (link: string | null, at: Date, publicUrl: string): Mail => ({
  kind: 'suspended',
  subject: `Your ${describeSubject(link)} was suspended for safety`,
  text: `${formatSubject(link)} was suspended for safety on ${formatTime(at)}. ${link === null ? 'Its short links no longer redirect anyone' : 'Its short link no longer redirects anyone'}, and nothing was deleted.

Sign in to see why. If this is a mistake, you can appeal:

${publicUrl}/app
`,
});

export const releasedMail = (link: string | null, at: Date, publicUrl: string): Mail => ({
  kind: 'released',
  subject: `Your ${describeSubject(link)} is no longer suspended`,
  text: `${formatSubject(link)} was released on ${formatTime(at)} and is no longer suspended for safety. Sign in to see it:

${publicUrl}/app
`,
});

export const changeEmailMail = (link: string): Mail => ({
  kind: 'change-email',
  subject: 'Confirm your new e-mail address',
  text: `You asked to use this e-mail address for your Signpost account. Open this link within 24 hours to confirm it, in a browser
where you are signed in:

${link}

If you didn't ask for this, ignore this e-mail. Nothing changes.
`,
});

export const emailChangingMail = (at: Date, publicUrl: string): Mail => ({
  kind: 'email-changing',
  subject: 'Your Signpost e-mail address is about to change',
  text: `Someone who knows your password asked to change the e-mail address of your Signpost account on ${formatTime(at)}. This address
stays in use until the new one is confirmed. You can cancel the change here:

${publicUrl}/app/settings/account

${ifNotYou('set a new password now, which also cancels the change', publicUrl)}
`,
});

export const emailChangedMail = (at: Date): Mail => ({
  kind: 'email-changed',
  subject: 'Your Signpost e-mail address was changed',
  text: `The e-mail address of your Signpost account was changed on ${formatTime(at)}. This address can no longer be used to sign in or to
reset the password. All other sessions were signed out.

If this wasn't you, contact the operator of the server right away.
`,
});

export const closedMail = (at: Date): Mail => ({
  kind: 'closed',
  subject: 'Your Signpost account was closed',
  text: `A Signpost account that you belonged to was closed on ${formatTime(at)} by an owner who knows their password. Its codes no longer
work, and its data is being deleted. This can't be undone.

If it was your only account, your sign-in is deleted too: with the account if you created it, and after 30 days if you were invited.

If this is a surprise, ask the owners of the account, or the operator of the server.
`,
});

export const removedMail = (at: Date, publicUrl: string): Mail => ({
  kind: 'removed',
  subject: 'You were removed from a Signpost account',
  text: `You were removed from a Signpost account on ${formatTime(at)}, by an owner or admin of it. You no longer see its codes and scans.
Your other accounts stay as they are:

${publicUrl}/app

If it was your only account, your sign-in is deleted after 30 days.
`,
});

/** Neither the account nor the person is named by what was typed for them. */
export const invitationMail = (link: string, inviter: string | null): Mail => ({
  kind: 'invitation',
  subject: 'You are invited to a Signpost account',
  text: `${nameInviter(inviter)} invites you to work on QR codes together in a Signpost account. This link works once, for 7 days, and for this e-mail address alone:

${link}

If you don't know who this is, ignore this e-mail. Nothing happens unless you open the link and accept.
`,
});

const nameInviter = (inviter: string | null) =>
  inviter === null ? 'The operator of this service' : isShownAsLink(inviter) ? 'Somebody' : inviter;

/** Mailboxes show such an address as a link to a site. */
const isShownAsLink = (email: string) => email.startsWith('www.');

const formatSubject = (link: string | null) =>
  link === null ? 'Your Signpost account' : `Your code ${link}`;

const ifNotYou = (advice: string, publicUrl: string) =>
  `If this wasn't you, ${advice}:\n\n${publicUrl}/app/forgot-password`;

const formatTime = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC`;

const describeSubject = (link: string | null) => (link === null ? 'account' : 'code');
