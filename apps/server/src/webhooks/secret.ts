import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { AppError } from '../kernel/errors.ts';

const prefix = 'whsec_';
export const secretBytes = 32;

export const newSecret = (): Buffer => randomBytes(secretBytes);

/** As the owner sees it, once. */
export const showSecret = (secret: Buffer): string => prefix + secret.toString('base64');

/** Keeps secrets unreadable at rest. */
export type SecretBox = { seal(plain: Buffer): Buffer; open(sealed: Buffer): Buffer };

const [nameBytes, ivBytes, tagBytes] = [4, 12, 16];

/**
 * AES-256-GCM. The first key seals, every key opens: put a new one in front and keep the old ones, until nothing is
 * sealed by them any more. The seal begins with a name of its key, worked out of the key itself.
 */
export function createSecretBox(keys: readonly Buffer[]): SecretBox {
  const named = new Map(keys.map(key => [nameOf(key), key]));
  return {
    seal(plain) {
      const [key] = keys;
      if (!key) throw noKey();
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Buffer.from(nameOf(key), 'hex'), iv, cipher.getAuthTag(), sealed]);
    },
    open(sealed) {
      const key = named.get(sealed.toString('hex', 0, nameBytes));
      if (!key) throw noKey();
      const iv = sealed.subarray(nameBytes, nameBytes + ivBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, iv);
      decipher.setAuthTag(sealed.subarray(nameBytes + ivBytes, nameBytes + ivBytes + tagBytes));
      return Buffer.concat([
        decipher.update(sealed.subarray(nameBytes + ivBytes + tagBytes)),
        decipher.final(),
      ]);
    },
  };
}

const nameOf = (key: Buffer) =>
  createHash('sha256')
    .update('signpost key name')
    .update(key)
    .digest('hex')
    .slice(0, 2 * nameBytes);

const noKey = () =>
  new AppError(
    'unavailable',
    'This service has no key for the secrets of webhooks. Its operator must set WEBHOOK_SECRET_KEYS, for example to the output of `openssl rand -base64 32`, and keep every key that was in use.',
  );
