import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { AppError } from '../kernel/errors.ts';

const prefix = 'whsec_';
const secretBytes = 32;

export const newSecret = (): Buffer => randomBytes(secretBytes);

/** As the owner sees it, in one answer only. */
export const showSecret = (secret: Buffer): string => prefix + secret.toString('base64');

/** Encrypts secrets at rest. */
export type SecretCipher = { encrypt(plaintext: Buffer): Buffer; decrypt(encrypted: Buffer): Buffer };

const [keyIdBytes, ivBytes, tagBytes] = [4, 12, 16];

/**
 * AES-256-GCM. The first key encrypts, every key decrypts: put a new one in front and keep the old ones for as long as
 * anything is encrypted with them. The result begins with the id of its key, which is derived from the key itself.
 */
export function createSecretCipher(keys: readonly Buffer[]): SecretCipher {
  const keysById = new Map(keys.map(key => [deriveKeyId(key), key]));
  return {
    encrypt(plaintext) {
      const [key] = keys;
      if (!key) throw noKey();
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      return Buffer.concat([Buffer.from(deriveKeyId(key), 'hex'), iv, cipher.getAuthTag(), ciphertext]);
    },
    decrypt(encrypted) {
      const key = keysById.get(encrypted.toString('hex', 0, keyIdBytes));
      if (!key) throw noKey();
      const iv = encrypted.subarray(keyIdBytes, keyIdBytes + ivBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, iv);
      decipher.setAuthTag(encrypted.subarray(keyIdBytes + ivBytes, keyIdBytes + ivBytes + tagBytes));
      return Buffer.concat([
        decipher.update(encrypted.subarray(keyIdBytes + ivBytes + tagBytes)),
        decipher.final(),
      ]);
    },
  };
}

const deriveKeyId = (key: Buffer) =>
  createHash('sha256')
    .update('signpost key name')
    .update(key)
    .digest('hex')
    .slice(0, 2 * keyIdBytes);

const noKey = () =>
  new AppError(
    'unavailable',
    'This service has no key for webhook secrets. Its operator must set WEBHOOK_SECRET_KEYS, for example to the output of `openssl rand -base64 32`, and keep every key that was in use.',
  );
