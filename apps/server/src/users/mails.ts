import type { Language } from '@signpost/contract';
import type { Mode } from '../kernel/caller.ts';
import { de } from './mail-texts/de.ts';
import { en, type MailTexts } from './mail-texts/en.ts';
import { es } from './mail-texts/es.ts';
import { fr } from './mail-texts/fr.ts';

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
  'domain-target',
] as const;
export type MailKind = (typeof mailKinds)[number];

/** A mail whose reader's language is not known yet. */
export type Letter = { readonly kind: MailKind; readonly write: (language: Language) => Mail };

const texts: Readonly<Record<Language, MailTexts>> = { en, de, fr, es };

type Value = string | number | Date | ((words: MailTexts) => string);

const letter = (
  kind: MailKind,
  values: Readonly<Record<string, Value>>,
  name: Exclude<keyof MailTexts, 'somebody' | 'operator' | 'modes'> = kind as typeof name,
): Letter => ({
  kind,
  write(language) {
    const words = texts[language];
    const fill = (text: string) =>
      text.replaceAll(/\{(\w+)\}/g, (_, place: string) => show(values[place]!, language));
    return { kind, subject: fill(words[name].subject), text: fill(words[name].text) };
  },
});

function show(value: Value, language: Language): string {
  if (value instanceof Date) return formatTime(value, language);
  return typeof value === 'function' ? value(texts[language]) : String(value);
}

function formatTime(at: Date, language: Language): string {
  if (language === 'en') return `${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(at)} UTC`;
}

export const resetMail = (link: string) => letter('reset', { link });

export const verifyMail = (link: string) => letter('verify', { link });

export const newKeyMail = (mode: Mode, time: Date, url: string) =>
  letter('new-key', { mode: words => words.modes[mode], time, url });

export const newPasswordMail = (time: Date, url: string) => letter('new-password', { time, url });

export const destinationsMail = (codes: number, time: Date, url: string) =>
  letter('destinations', { codes, time, url });

export const deletionsMail = (codes: number, time: Date, url: string) =>
  letter('deletions', { codes, time, url });

/** `device` is our own description, not text from the browser. */
export const newBrowserMail = (device: string, time: Date, url: string) =>
  letter('new-browser', { device, time, url });

/** The reason is shown only in the dashboard, because it may quote a report. `link` is the code's; null for the account. */
export const suspendedMail = (link: string | null, time: Date, url: string) =>
  letter(
    'suspended',
    { link: link ?? '', time, url },
    link === null ? 'suspended-account' : 'suspended-code',
  );

export const releasedMail = (link: string | null, time: Date, url: string) =>
  letter('released', { link: link ?? '', time, url }, link === null ? 'released-account' : 'released-code');

export const changeEmailMail = (link: string) => letter('change-email', { link });

export const emailChangingMail = (time: Date, url: string) => letter('email-changing', { time, url });

export const emailChangedMail = (time: Date) => letter('email-changed', { time });

export const closedMail = (time: Date) => letter('closed', { time });

export const domainTargetMail = (host: string, time: Date, url: string) =>
  letter('domain-target', { host, time, url });

export const removedMail = (time: Date, url: string) => letter('removed', { time, url });

/** Neither the account nor the person is named by what was typed for them. */
export const invitationMail = (link: string, inviter: string | null) =>
  letter('invitation', { link, inviter: nameInviter(inviter) });

/** null: the operator. */
const nameInviter = (inviter: string | null): Value => {
  if (inviter === null) return words => words.operator;
  return isShownAsLink(inviter) ? words => words.somebody : inviter;
};

/** Mailboxes show such an address as a link to a site. */
const isShownAsLink = (email: string) => email.startsWith('www.');
