import { AppError } from '../kernel/errors.ts';

/** Where no code may lead. */
export type Own = { includes(url: URL): boolean };

/** A name of 253 characters, a dot at its end and a port. */
const maxAuthority = 253 + 1 + 6;

/**
 * Refuses a destination that the schema lets through but a scan must not be sent to. What passes is kept as it
 * was typed, byte for byte: only the check looks at its parsed form.
 */
export function checkDestination(destination: string, own: Own): void {
  const refuse = (reason: string) => new AppError('invalid_url', reason, { param: 'destination_url' });
  const [authority = ''] = destination.replace(/^https?:\/\//i, '').split(/[/?#]/, 1);
  // Browsers read a backslash as a slash: https://good.example\@evil.example goes to good, other readers go to evil.
  if (authority.includes('\\')) throw refuse('destination_url must not have a backslash before its path.');
  if (authority.includes('@')) throw refuse('destination_url must not carry a user name or password.');
  // No name in DNS is longer, and the parser takes a third of a second for one of four thousand letters.
  if (authority.length > maxAuthority) throw refuse('destination_url has a host that is too long for DNS.');
  const url = URL.canParse(destination) ? new URL(destination) : null;
  if (!url || authority === '') throw refuse('destination_url is not a valid http or https URL.');
  if (own.includes(url)) {
    throw refuse(
      'destination_url leads back to this service, so a scan would go in a circle. Send the address of the page that people should see.',
    );
  }
}
