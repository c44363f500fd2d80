import type { Mode } from '../kernel/caller.ts';

/**
 * A mail in plain text. Nothing that a person typed is in it, but for a short link: anybody can sign up with anybody's address.
 */
export type Mail = { readonly kind: MailKind; readonly subject: string; readonly text: string };

export const mailKinds = [
  'reset',
  'verify',
  'new-key',
  'new-password',
  'new-browser',
  'suspended',
  'released',
] as const;
export type MailKind = (typeof mailKinds)[number];

export const resetMail = (link: string): Mail => ({
  kind: 'reset',
  subject: 'Set a new password for Signpost',
  text: `Hello,

somebody asked for a new password for the Signpost account with this e-mail address. If it was you, open this link
within an hour:

${link}

If it was not you, do nothing: the password stays as it is.
`,
});

export const verifyMail = (link: string): Mail => ({
  kind: 'verify',
  subject: 'Confirm your e-mail address for Signpost',
  text: `Hello,

somebody created a Signpost account with this e-mail address. If it was you, confirm the address within 24 hours:

${link}

If it was not you, do not open the link, and do nothing: the account stays unconfirmed.
`,
});

export const newKeyMail = (mode: Mode, at: Date, publicUrl: string): Mail => ({
  kind: 'new-key',
  subject: 'A new API key in your Signpost account',
  text: `Hello,

a new ${mode} API key was created in your Signpost account, on ${timeOf(at)}. Your keys are here:

${publicUrl}/app/settings/keys

${notYou('revoke the key there, then set a new password', publicUrl)}
`,
});

export const newPasswordMail = (at: Date, publicUrl: string): Mail => ({
  kind: 'new-password',
  subject: 'Your Signpost password was changed',
  text: `Hello,

the password of your Signpost account was changed, on ${timeOf(at)}. Sessions elsewhere have ended.

${notYou('set another password', publicUrl)}
`,
});

/** `device` is one of our own words for it, not the browser's. */
export const newBrowserMail = (device: string, at: Date, publicUrl: string): Mail => ({
  kind: 'new-browser',
  subject: 'A new sign-in to your Signpost account',
  text: `Hello,

somebody signed in to your Signpost account from a new browser: ${device}, on ${timeOf(at)}. You see where you are
signed in, and can end sessions, here:

${publicUrl}/app/settings/account

${notYou('set a new password, which ends every session', publicUrl)}
`,
});

/** The reason stays in the dashboard: it may hold words of those who reported. The link is the code's; null: the account. */
export const suspendedMail = (link: string | null, at: Date, publicUrl: string): Mail => ({
  kind: 'suspended',
  subject: `Your Signpost ${link === null ? 'account' : 'code'} was stopped for safety`,
  text: `Hello,

${named(link)} was stopped for safety, on ${timeOf(at)}. ${link === null ? 'Its short links do' : 'Its short link does'} not work until it is released.
Sign in to read why and to appeal:

${publicUrl}/app
`,
});

export const releasedMail = (link: string | null, at: Date, publicUrl: string): Mail => ({
  kind: 'released',
  subject: `Your Signpost ${link === null ? 'account' : 'code'} is no longer stopped`,
  text: `Hello,

${named(link)} was stopped for safety, and was released on ${timeOf(at)}. Sign in to see it:

${publicUrl}/app
`,
});

const named = (link: string | null) => (link === null ? 'your Signpost account' : `your code ${link}`);

const notYou = (advice: string, publicUrl: string) =>
  `If it was not you, ${advice}:\n\n${publicUrl}/app/forgot-password`;

const timeOf = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
