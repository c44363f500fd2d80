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

test('a seal of which a single byte was changed is refused, whichever', () => {
  const box = createSecretBox([first]);
  const sealed = box.seal(newSecret());
  for (const at of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    expect(() => box.open(changed), `byte ${at}`).toThrow();
  }
});

test('what is stored today can be read by every later version', () => {
  const box = createSecretBox([Buffer.from('a key of 32 bytes for this test.')]);
  const stored = 'e4H8wbqZQYgMTTAMKCpdk0pgsnLsOz+QnDGw51CTjHrsssdLFbgXUMf6m3GWAxoOz35VQgxT8mNVwqmm11viaA==';
  expect(box.open(Buffer.from(stored, 'base64')).toString()).toBe('a secret of 32 bytes, sealed now');
});

test('without a key the refusal says what to do', () => {
  const box = createSecretBox([]);
  const sealed = createSecretBox([first]).seal(newSecret());
  for (const use of [() => box.seal(newSecret()), () => box.open(sealed)])
    expect(use).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message: expect.stringContaining('WEBHOOK_SECRET_KEYS'),
      }),
    );
});
