import Type from 'typebox';
import { destinationPattern, maxDestinationLength } from './values.ts';

/** The form of a URL that a header can carry as it is; the rest of the rules is checked by the server. */
export const DestinationUrl = Type.String({
  minLength: 1,
  maxLength: maxDestinationLength,
  pattern: destinationPattern,
  'x-form':
    'an http or https URL of at most 4,096 characters without spaces or control characters. Write a space as %20',
  // Wherever this is taken, blocked hosts and lists are looked at.
  'x-destination': true,
  description:
    'URL that scans redirect to. Must be http or https with a valid host name, and must not contain user info, spaces, control characters or a backslash before the path. It must not point back to this service. Responses return it exactly as given; redirects use its ASCII form.',
});

/** A URL whose host reads the same to everybody who takes it apart. */
export const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  pattern: '^[hH][tT][tT][pP][sS]?://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?([/?][!"$-~]*)?$',
  'x-form':
    'an http or https URL of at most 2,048 ASCII characters, without user info and fragment. Write a host with other letters in punycode',
  description:
    'URL that receives the events. Must be http or https and ASCII (write international host names in punycode), without user info or a fragment. Private, loopback, link-local and metadata addresses are rejected.',
});
