import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecretBox, newSecret, showSecret } from './secret.ts';

const [first, second] = [randomBytes(32), randomBytes(32)];

test('a secret is whsec_ and the base64 of 32 random bytes', () => {
  const secrets = new Set(Array.from({ length: 100 }, () => showSecret(newSecret())));
  expect(secrets.size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

test('what is sealed does not show the secret, differs each time, and opens again', () => {
  const box = createSecretBox([first]);
  const secret = newSecret();
  const [a, b] = [box.seal(secret), box.seal(secret)];
  expect(a.includes(secret)).toBe(false);
  expect(a.equals(b)).toBe(false);
  expect(box.open(a).equals(secret)).toBe(true);
});

test('a new key in front seals, and the old one still opens what it sealed', () => {
  const secret = newSecret();
  const old = createSecretBox([first]).seal(secret);
  const both = createSecretBox([second, first]);
  expect(both.open(old).equals(secret)).toBe(true);
  const fresh = both.seal(secret);
  expect(createSecretBox([second]).open(fresh).equals(secret)).toBe(true);
  expect(() => createSecretBox([first]).open(fresh)).toThrow('WEBHOOK_SECRET_KEYS');
});

test('a seal that was tampered with is refused', () => {
  const box = createSecretBox([first]);
  const sealed = box.seal(newSecret());
  sealed[sealed.length - 1]! ^= 1;
  expect(() => box.open(sealed)).toThrow();
});

test('without a key the refusal says what to do', () => {
  expect(() => createSecretBox([]).seal(newSecret())).toThrow('WEBHOOK_SECRET_KEYS');
});
