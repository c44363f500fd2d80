import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecretCipher, newSecret, showSecret } from './secret.ts';

const [first, second] = [randomBytes(32), randomBytes(32)];

test('a secret is whsec_ and the base64 of 32 random bytes', () => {
  const secrets = new Set(Array.from({ length: 100 }, () => showSecret(newSecret())));
  expect(secrets.size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

test('an encrypted secret does not show the secret, differs each time, and can be decrypted', () => {
  const cipher = createSecretCipher([first]);
  const secret = newSecret();
  const [a, b] = [cipher.encrypt(secret), cipher.encrypt(secret)];
  expect(a.includes(secret)).toBe(false);
  expect(a.equals(b)).toBe(false);
  expect(cipher.decrypt(a).equals(secret)).toBe(true);
});

test('a new key in front encrypts, and the old one still decrypts what it encrypted', () => {
  const secret = newSecret();
  const old = createSecretCipher([first]).encrypt(secret);
  const both = createSecretCipher([second, first]);
  expect(both.decrypt(old).equals(secret)).toBe(true);
  const fresh = both.encrypt(secret);
  expect(createSecretCipher([second]).decrypt(fresh).equals(secret)).toBe(true);
  expect(() => createSecretCipher([first]).decrypt(fresh)).toThrow('WEBHOOK_SECRET_KEYS');
});

test('an encrypted secret with any single byte changed is refused', () => {
  const cipher = createSecretCipher([first]);
  const sealed = cipher.encrypt(newSecret());
  for (const at of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    expect(() => cipher.decrypt(changed), `byte ${at}`).toThrow();
  }
});

test('secrets that are stored today can be decrypted by every later version', () => {
  const cipher = createSecretCipher([Buffer.from('a key of 32 bytes for this test.')]);
  const stored = 'e4H8wbqZQYgMTTAMKCpdk0pgsnLsOz+QnDGw51CTjHrsssdLFbgXUMf6m3GWAxoOz35VQgxT8mNVwqmm11viaA==';
  expect(cipher.decrypt(Buffer.from(stored, 'base64')).toString()).toBe('a secret of 32 bytes, sealed now');
});

test('without a key the error says what to do', () => {
  const cipher = createSecretCipher([]);
  const sealed = createSecretCipher([first]).encrypt(newSecret());
  for (const use of [() => cipher.encrypt(newSecret()), () => cipher.decrypt(sealed)])
    expect(use).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message: expect.stringContaining('WEBHOOK_SECRET_KEYS'),
      }),
    );
});
