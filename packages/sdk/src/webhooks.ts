import { WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './generated.ts';

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** How many seconds the time of the message may be off, in the past or the future. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** For tests: the time to compare with. Default `Date.now()`. */
  readonly nowMs?: number | undefined;
};

/**
 * Checks the signature and the time of a webhook and returns its event.
 *
 * `body` is the raw body of the request, as text or bytes: the signature is over these bytes, and JSON that was parsed
 * and written again has others. Throws `WebhookVerificationError` if the message must not be trusted, and `TypeError`
 * if the call itself is wrong: a parsed body, no headers, something else than a webhook secret.
 *
 * @example
 * ```ts
 * // Express: app.post('/webhooks', express.raw({ type: 'application/json' }), async (req, res) => { … })
 * const event = await webhooks.verify(req.body, req.headers, process.env.SIGNPOST_WEBHOOK_SECRET!);
 * if (event.event === 'scan.created') console.log(event.data.qr_id);
 * ```
 */
export async function verify(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const bytes = bytesOf(body);
  const secretKey = secretBytes(secret);
  const { id, timestamp, signatures } = signedParts(headers);
  checkTime(timestamp, nowMs, toleranceSeconds);

  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secretKey, algorithm, false, ['verify']);
  for (const signature of signatures) {
    const [version, value] = signature.split(',');
    const expected = version === 'v1' ? fromBase64(value ?? '') : null;
    // WebCrypto compares in constant time.
    if (expected && (await crypto.subtle.verify('HMAC', key, expected, signed))) return parsed(bytes);
  }
  throw new WebhookVerificationError(
    'No signature matches this secret and this body. Either the secret is that of another webhook or was rotated, or the body is not byte for byte what was sent: pass the raw body, not JSON.stringify of a parsed one.',
  );
}

/**
 * Whether this is a test that somebody sent from the dashboard or with `webhooks.test`. Its body is like any other. The
 * header is not signed: call `verify` first, and use this only to skip tests.
 */
function isTest(headers: WebhookHeaders): boolean {
  return headerIn(headers, 'x-signpost-test') === 'true';
}

export const webhooks = { verify, isTest };

/** What to do about a body that is no longer raw. */
const howToGetRawBody =
  "In Express use express.raw({ type: 'application/json' }) for this route, before express.json(). With Request (Next.js, Hono, Deno, Bun) pass await request.text().";

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  // Of whatever realm: a test runner may have an ArrayBuffer of its own.
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]')
    return new Uint8Array(body as ArrayBuffer);
  throw new TypeError(
    `Pass the raw request body, as text or bytes: this is ${nameOf(body)}. The signature is over the bytes as they came, and JSON that was parsed and written again has others. ${howToGetRawBody}`,
  );
}

function nameOf(body: unknown): string {
  if (body === undefined || body === null) return `${body}: nothing has read the body yet`;
  const type = Object.prototype.toString.call(body).slice(8, -1);
  if (type === 'Request' || type === 'ReadableStream') return `a ${type} that nothing has read yet`;
  return typeof body === 'object' ? 'an object that was parsed already' : `a ${typeof body}`;
}

function signedParts(headers: WebhookHeaders) {
  if (typeof headers !== 'object' || headers === null)
    throw new TypeError(`Pass the headers of the request: these are ${headers}. Use request.headers.`);
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
  const missing = names.filter(name => !headerIn(headers, name));
  if (missing.length > 0) {
    const which =
      missing.length === 1
        ? `The header ${missing[0]} is missing`
        : `The headers ${missing.join(', ')} are missing`;
    throw new WebhookVerificationError(
      `${which}. Pass all headers of the request, as in request.headers. If you do, the request is not from Signpost, or a proxy on the way removes headers.`,
    );
  }
  const [id, timestamp, signature] = names.map(name => headerIn(headers, name) ?? '') as [
    string,
    string,
    string,
  ];
  return { id, timestamp, signatures: signature.split(' ') };
}

function checkTime(timestamp: string, nowMs: number, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('The header webhook-timestamp is not a time in Unix seconds.');
  const age = Math.round(nowMs / 1000 - Number(timestamp));
  if (Math.abs(nowMs / 1000 - Number(timestamp)) <= toleranceSeconds) return;
  const when = age > 0 ? `${age} seconds ago` : `${-age} seconds in the future`;
  throw new WebhookVerificationError(
    `The message was signed ${when}, and ${toleranceSeconds} are allowed (toleranceSeconds). Either somebody sends an old message again, or the clock of this machine is wrong. Signpost signs every retry with its own time.`,
  );
}

/** `Headers` of any platform have `get`; Node's are an object. */
function headerIn(headers: WebhookHeaders, name: string): string | null | undefined {
  return isHeaders(headers) ? headers.get(name) : headerOf(headers, name);
}

const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === 'function';

/** Node lowers the case of header names; others keep it. */
function headerOf(headers: Exclude<WebhookHeaders, Headers>, name: string): string | undefined {
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

function secretBytes(secret: unknown): Uint8Array<ArrayBuffer> {
  const bytes = typeof secret === 'string' ? fromBase64(secret.replace(/^whsec_/, '')) : null;
  if (bytes && bytes.length > 0) return bytes;
  throw new TypeError(
    `The secret of a webhook is whsec_ and base64; this is ${nameOfSecret(secret)} You get the secret once: from webhooks.create, from webhooks.rotateSecret, or when you add the webhook in the dashboard.`,
  );
}

/** Never the secret itself: it would be in the logs. */
function nameOfSecret(secret: unknown): string {
  if (secret === undefined || secret === '') return 'empty. Is the environment variable set?';
  if (typeof secret !== 'string') return `no text but ${secret === null ? 'null' : `a ${typeof secret}`}.`;
  return secret.startsWith('sk_') ? 'an API key.' : 'something else.';
}

function parsed(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)) as WebhookEvent;
  } catch (cause) {
    throw new WebhookVerificationError('The signature is good, but the body is not JSON.', { cause });
  }
}

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
