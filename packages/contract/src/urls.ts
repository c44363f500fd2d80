import Type from 'typebox';

/** The form of a URL that a header can carry as it is; the rest of the rules is checked by the server. */
export const DestinationUrl = Type.String({
  minLength: 1,
  maxLength: 4096,
  pattern: '^[hH][tT][tT][pP][sS]?://[^\\u0000-\\u0020\\u007F-\\u009F\\uD800-\\uDFFF]+$',
  'x-form':
    'an http or https URL of at most 4,096 characters without spaces or control characters. Write a space as %20',
  // Wherever this is taken, blocked hosts and lists are looked at.
  'x-destination': true,
  description:
    'Where a scan is sent: http or https, no user info, no spaces or control characters, no backslash before the path, a host that DNS can hold, not an address of this service. It comes back as it was sent; a scan is sent to it in ASCII.',
});

/** A URL whose host reads the same to everybody who takes it apart. */
export const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  pattern: '^[hH][tT][tT][pP][sS]?://(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?([/?][!"$-~]*)?$',
  'x-form':
    'an http or https URL of at most 2,048 ASCII characters, without user info and fragment. Write a host with other letters in punycode',
  description:
    'Where events are sent: http or https, ASCII (hosts in punycode), no user info, no fragment. Private, loopback, link-local and metadata addresses are refused.',
});
