import { WebhookVerificationError } from './errors.ts';

/** The body of a webhook that tells of a scan. */
export type ScanCreated = {
  readonly event: 'scan.created';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly qr_id: string;
    readonly scan_id: string;
    readonly country: string;
    readonly city: string;
    readonly device: string;
    readonly is_unique: boolean;
  };
};

/** The body of a webhook that tells that a code was stopped for safety. */
export type QrCodeSuspended = {
  readonly event: 'qrcode.suspended';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly qr_id: string;
    /** Why, as text for people: written by the operator, or by the service where a list or a blocked host stopped it. */
    readonly reason: string;
    readonly suspended_at: string;
  };
};

/** The body of a webhook that tells that the last suspension of a code was released. */
export type QrCodeReleased = {
  readonly event: 'qrcode.released';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly qr_id: string;
    /** Why it had been stopped. */
    readonly reason: string;
    readonly released_at: string;
  };
};

/** The body of a webhook that tells that the whole account was stopped for safety. */
export type AccountSuspended = {
  readonly event: 'account.suspended';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly account_id: string;
    /** Why, as text for people: written by the operator. */
    readonly reason: string;
    readonly suspended_at: string;
  };
};

/** The body of a webhook that tells that an account which was stopped was released. */
export type AccountReleased = {
  readonly event: 'account.released';
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly account_id: string;
    /** Why it had been stopped. */
    readonly reason: string;
    readonly released_at: string;
  };
};

/** Whatever an endpoint can be told; `event` says which. An endpoint gets those that its `events` name. */
export type WebhookEvent =
  | ScanCreated
  | QrCodeSuspended
  | QrCodeReleased
  | AccountSuspended
  | AccountReleased;

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** How far the time of the message may be from now, either way. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  readonly nowMs?: number | undefined;
};

/**
 * The event of a webhook whose signature is good and whose time is near. `body` must be the bytes that came, not JSON that
 * was parsed and written again. Throws `WebhookVerificationError` otherwise.
 */
export async function verify(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = needed(headers, 'webhook-id');
  const timestamp = needed(headers, 'webhook-timestamp');
  const signatures = needed(headers, 'webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('webhook-timestamp is not Unix seconds');
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError(
      'The message is too old or too new: a replay, or a clock that is wrong',
    );
  }

  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), toBytes(body));
  const key = await crypto.subtle.importKey(
    'raw',
    secretBytes(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  for (const signature of signatures) {
    const [version, value] = signature.split(',');
    const bytes = version === 'v1' ? fromBase64(value ?? '') : null;
    // WebCrypto compares in constant time.
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return parsed(text);
  }
  throw new WebhookVerificationError('No signature is of this secret and this body');
}

/**
 * Whether this is a test that somebody sent from the dashboard or by `webhooks.test`. Its body is like any other. The header is
 * not part of what is signed: believe it only after `verify`, and use it for nothing but to leave tests out.
 */
export function isTest(headers: WebhookHeaders): boolean {
  return headerIn(headers, 'x-signpost-test') === 'true';
}

export const webhooks = { verify, isTest };

function needed(headers: WebhookHeaders, name: string): string {
  const value = headerIn(headers, name);
  if (!value) throw new WebhookVerificationError(`The header ${name} is missing`);
  return value;
}

const headerIn = (headers: WebhookHeaders, name: string): string | null | undefined =>
  headers instanceof Headers ? headers.get(name) : headerOf(headers, name);

/** Node lowers the case of header names; others keep it. */
function headerOf(headers: Exclude<WebhookHeaders, Headers>, name: string): string | undefined {
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0) throw new TypeError('The secret must be whsec_ and base64');
  return bytes;
}

function parsed(text: string): WebhookEvent {
  try {
    return JSON.parse(text) as WebhookEvent;
  } catch (cause) {
    throw new WebhookVerificationError('The signature is good, but the body is not JSON', { cause });
  }
}

const toBytes = (body: string | Uint8Array) =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body;

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0));
  } catch {
    return null;
  }
}
