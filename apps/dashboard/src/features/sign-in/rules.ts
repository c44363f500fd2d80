import { signInText } from '../../strings/sign-in.ts';

/** What the forms ask before the server is asked. The server asks again. */

const shortestPassword = 10;

/** Under every field where a password is chosen. */
export const passwordRule = signInText.passwordRule(shortestPassword);

export const emailFault = (value: string): string | null =>
  /^\S+@\S+\.\S+$/.test(value) ? null : signInText.emailFault;

export const passwordFault = (value: string): string | null =>
  value.length >= shortestPassword ? null : signInText.passwordShort(shortestPassword);

export const nameFault = (value: string): string | null => (value.trim() ? null : signInText.nameMissing);
