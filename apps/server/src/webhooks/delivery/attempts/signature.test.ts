import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createSecretCipher, newSecret, showSecret } from '../../secret.ts';
import type { Endpoint } from '../../webhook.ts';
import { secretsAt } from './attempt-runner.ts';
import { sign } from './signature.ts';

/** The verifier of docs/guides/webhooks.md, word for word. */
function verify(secret: string, headers: Record<string, string>, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some(signature => {
    const given = Buffer.from(signature.slice('v1,'.length), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const anyBody = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }).filter(text => text.isWellFormed()),
  fc.jsonValue().map(value => JSON.stringify({ value })),
);

test('10,000 random bodies verify by the package of Standard Webhooks and by the ten lines of the docs', () => {
  const secret = newSecret();
  const shown = showSecret(secret);
  const standard = new Webhook(shown);
  let verified = 0;
  fc.assert(
    fc.property(anyBody, fc.uuid(), (body, id) => {
      const at = new Date();
      const headers = { ...sign(`msg_${id}`, at, body, [secret]) };
      // The package parses what it verifies as JSON: so text is compared by signature, and a document is verified.
      expect(standard.sign(`msg_${id}`, at, body)).toBe(headers['webhook-signature']);
      const document = JSON.stringify({ body });
      expect(standard.verify(document, { ...sign(`msg_${id}`, at, document, [secret]) })).toEqual({ body });
      expect(verify(shown, headers, body)).toBe(true);
      expect(verify(shown, headers, `${body} `)).toBe(false);
      verified++;
    }),
    { numRuns: 10_000 },
  );
  expect(verified).toBe(10_000);
});

test('while a secret rotates there are two signatures, and at the promised second the old one ends', () => {
  const cipher = createSecretCipher([randomBytes(32)]);
  const [oldSecret, secret] = [newSecret(), newSecret()];
  const until = new Date('2026-11-16T08:00:00.000Z');
  const endpoint = {
    secret: cipher.encrypt(secret),
    oldSecret: cipher.encrypt(oldSecret),
    oldSecretUntil: until,
  } as Endpoint;
  const signedAt = (now: Date) =>
    sign('msg_1', now, '{}', secretsAt(endpoint, now).map(cipher.decrypt))['webhook-signature'].split(' ');
  const by = (key: Buffer, now: Date) => sign('msg_1', now, '{}', [key])['webhook-signature'];
  const before = new Date(until.getTime() - 1);
  expect(signedAt(before)).toEqual([by(secret, before), by(oldSecret, before)]);
  expect(signedAt(until)).toEqual([by(secret, until)]);
});

test("the timestamp is the attempt's, in whole seconds", () => {
  const headers = sign('msg_1', new Date('2026-11-15T00:00:01.999Z'), '{}', [newSecret()]);
  expect(headers['webhook-timestamp']).toBe('1794700801');
});
