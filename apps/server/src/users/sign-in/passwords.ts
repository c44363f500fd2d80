import { hashPassword, verifyPassword } from 'better-auth/crypto';

/** How passwords are hashed and compared. */
export type Passwords = {
  hash(password: string): Promise<string>;
  verify(given: { readonly hash: string; readonly password: string }): Promise<boolean>;
};

/** By scrypt, off the main thread. It takes about a tenth of a second on purpose. */
export const scryptPasswords: Passwords = { hash: hashPassword, verify: verifyPassword };
