import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Passwords } from '../../../apps/server/src/users/sign-in/passwords.ts';

/** Few rounds: tests sign up hundreds of people. */
const cost = { N: 16, r: 1, p: 1 };

const derive = promisify<string, string, number, typeof cost, Buffer>(scrypt);

async function hashWith(salt: string, password: string): Promise<string> {
  return `${salt}:${(await derive(password.normalize('NFKC'), salt, 64, cost)).toString('hex')}`;
}

/** scrypt as in the service, but at a fraction of its cost. */
export const cheapPasswords: Passwords = {
  hash: password => hashWith(randomBytes(16).toString('hex'), password),
  verify: async ({ hash, password }) => (await hashWith(hash.split(':')[0]!, password)) === hash,
};
