import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookEventKind } from '@signpost/contract';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  type QrCodeSuspendedEvent,
  type ScanCreatedEvent,
  type WebhookEvent,
  WebhookVerificationError,
  webhooks,
} from './index.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const nowMs = 1_800_000_000_000;
const body = JSON.stringify({
  event: 'scan.created',
  timestamp: '2027-01-15T08:00:00Z',
  data: { qr_id: 'qr_1', scan_id: 'scan_1', country: 'CH', city: 'Zürich', device: 'ios', is_unique: true },
});

function signedBy(key: string, at: number | string = nowMs / 1000, text = body): string {
  const bytes = Buffer.from(key.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', bytes).update(`msg_1.${at}.${text}`).digest('base64')}`;
}

const headersOf = (signature: string, at: number | string = nowMs / 1000) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(at),
  'webhook-signature': signature,
});

const check = (headers: Record<string, string>, text: string | Uint8Array = body) =>
  webhooks.verify(text, headers, secret, { nowMs });

describe('a webhook', () => {
  test('that is a test says so in a header, and in nothing else', () => {
    expect(webhooks.isTest({ 'x-signpost-test': 'true' })).toBe(true);
    expect(webhooks.isTest(new Headers({ 'X-Signpost-Test': 'true' }))).toBe(true);
    expect(webhooks.isTest(headersOf(signedBy(secret)))).toBe(false);
  });

  test('with a good signature is its event, from text and from bytes, from any kind of headers', async () => {
    const headers = headersOf(signedBy(secret));
    const event = JSON.parse(body);
    expect(await check(headers)).toEqual(event);
    expect(await check(headers, Buffer.from(body))).toEqual(event);
    expect(await check(headers, new TextEncoder().encode(body))).toEqual(event);
    expect(await webhooks.verify(body, new Headers(headers), secret, { nowMs })).toEqual(event);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect(await check(upper)).toEqual(event);
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    expect(await webhooks.verify(body, lists, secret, { nowMs })).toEqual(event);
  });

  test('is one of the events of the service, and its name says which', async () => {
    const text = JSON.stringify({
      event: 'qrcode.suspended',
      timestamp: '2027-01-15T08:00:00Z',
      data: { qr_id: 'qr_1', reason: 'Phishing', suspended_at: '2027-01-15T08:00:00Z' },
    });
    const event = await check(headersOf(signedBy(secret, undefined, text)), text);
    expect(event).toEqual(JSON.parse(text));
    expect(event.event === 'qrcode.suspended' && event.data.reason).toBe('Phishing');
    if (event.event === 'scan.created') expectTypeOf(event).toEqualTypeOf<ScanCreatedEvent>();
    if (event.event === 'qrcode.suspended') expectTypeOf(event).toEqualTypeOf<QrCodeSuspendedEvent>();
    expectTypeOf<WebhookEvent['event']>().toEqualTypeOf<WebhookEventKind>();
  });

  test('is taken where one of several signatures is good, while a secret changes', async () => {
    const other = `whsec_${randomBytes(32).toString('base64')}`;
    await check(headersOf(`${signedBy(other)} ${signedBy(secret)}`));
    await check(headersOf(`v1a,xxxx ${signedBy(secret)}`));
  });

  test.each([
    ['of another secret', signedBy(`whsec_${randomBytes(32).toString('base64')}`)],
    ['of another body', signedBy(secret, undefined, '{}')],
    ['of another time', signedBy(secret, nowMs / 1000 - 1)],
    ['of another version', signedBy(secret).replace('v1,', 'v2,')],
    ['that is no base64', 'v1,!!!'],
    ['that is empty', 'v1,'],
    ['cut short', signedBy(secret).slice(0, -8)],
  ])('with a signature %s is not believed', async (_, signature) => {
    await expect(check(headersOf(signature))).rejects.toThrow(WebhookVerificationError);
  });

  test('that nobody has signed for this secret says so', async () => {
    for (const signature of ['v1,', 'v1']) {
      await expect(check(headersOf(signature))).rejects.toThrow('No signature matches this secret');
      await expect(check(headersOf(signature))).rejects.toThrow('pass the raw body, not JSON.stringify');
    }
  });

  test.each(['soon', `${nowMs / 1000}.0`, ` ${nowMs / 1000}`, '1.8e9', ''.padStart(13, '0')])(
    'whose time is %j is not believed, even where it was signed so',
    async at => {
      await expect(check(headersOf(signedBy(secret, at), at))).rejects.toThrow('not a time in Unix seconds');
    },
  );

  test('that is signed but is no JSON is refused with the reason', async () => {
    const text = '\ufeff{}';
    for (const form of [text, new TextEncoder().encode(text)]) {
      const refusal = expect(check(headersOf(signedBy(secret, undefined, text)), form)).rejects;
      await refusal.toThrow('not JSON');
      await refusal.toMatchObject({ cause: expect.any(SyntaxError) });
    }
  });

  test('is not believed when the id was changed', async () => {
    const headers = { ...headersOf(signedBy(secret)), 'webhook-id': 'msg_2' };
    await expect(check(headers)).rejects.toThrow(WebhookVerificationError);
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'without %s is not believed',
    async name => {
      const { [name as 'webhook-id']: _, ...headers } = headersOf(signedBy(secret));
      await expect(check(headers)).rejects.toThrow(name);
    },
  );

  test.each([
    [-301, '301 seconds ago'],
    [301, '301 seconds in the future'],
  ])('whose time is %i seconds from now is not believed', async (offset, when) => {
    const at = nowMs / 1000 + offset;
    const refusal = expect(check(headersOf(signedBy(secret, at), at))).rejects;
    await refusal.toThrow(WebhookVerificationError);
    await refusal.toThrow(when);
    await refusal.toThrow('the clock of this machine is wrong');
  });

  test.each([-300, 300])('whose time is %i seconds from now is taken', async offset => {
    const at = nowMs / 1000 + offset;
    await check(headersOf(signedBy(secret, at), at));
  });

  test('of the example of Standard Webhooks is taken', async () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const event = await webhooks.verify(
      '{"test": 2432232314}',
      headers,
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      { nowMs: 1614265330_000 },
    );
    expect(event).toEqual({ test: 2432232314 });
  });

  test('from an ArrayBuffer is its event', async () => {
    const { buffer } = new TextEncoder().encode(body);
    expect(await webhooks.verify(buffer, headersOf(signedBy(secret)), secret, { nowMs })).toEqual(
      JSON.parse(body),
    );
  });

  test('without any of its headers names all that are missing, and says what to pass', async () => {
    await expect(check({ accept: '*/*' })).rejects.toThrow(
      'The headers webhook-id, webhook-timestamp, webhook-signature are missing. Pass all headers of the request',
    );
  });
});

describe('a call of verify that is wrong in itself is the fault of the caller, not of the sender', () => {
  const headers = headersOf(signedBy(secret));
  const wrong = (given: unknown, key: unknown, from: unknown = headers) =>
    expect(webhooks.verify(given as string, from as typeof headers, key as string, { nowMs })).rejects;

  test.each([
    ['an object that was parsed already', JSON.parse(body)],
    ['an object that was parsed already', []],
    ['undefined: nothing has read the body yet', undefined],
    ['a Request that nothing has read yet', new Request('https://x')],
    ['a ReadableStream that nothing has read yet', new Response('{}').body],
    ['a number', 7],
  ])('the body is %s', async (what, given) => {
    await wrong(given, secret).toThrow(TypeError);
    await wrong(given, secret).toThrow(`Pass the raw request body, as text or bytes: this is ${what}.`);
    await wrong(given, secret).toThrow('express.raw(');
    await wrong(given, secret).toThrow('await request.text()');
  });

  test.each([
    ['empty. Is the environment variable set?', undefined],
    ['empty. Is the environment variable set?', ''],
    ['an API key.', 'sk_live_0123456789abcdef'],
    ['something else.', 'whsec_'],
    ['something else.', 'whsec_!!!'],
    ['something else.', `x${secret}`],
    ['no text but null.', null],
    ['no text but a number.', 5],
  ])('the secret is %s', async (what, none) => {
    await wrong(body, none).toThrow(TypeError);
    await wrong(body, none).toThrow(`The secret of a webhook is whsec_ and base64; this is ${what}`);
    const { message } = await webhooks.verify(body, headers, none as string).catch(error => error);
    if (typeof none === 'string' && none.length > 6) expect(message).not.toContain(none);
  });

  test('there are no headers', async () => {
    await wrong(body, secret, null).toThrow(TypeError);
    await wrong(body, secret, null).toThrow(
      'Pass the headers of the request: these are null. Use request.headers.',
    );
  });
});
