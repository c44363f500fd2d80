/** What the forms ask before the server is asked. The server asks again. */

const shortestPassword = 10;

/** Under every field where a password is chosen. */
export const passwordRule = `At least ${shortestPassword} characters, and none that many people use`;

export const emailFault = (value: string): string | null =>
  /^\S+@\S+\.\S+$/.test(value) ? null : 'Enter an e-mail address, like name@example.com';

export const passwordFault = (value: string): string | null =>
  value.length >= shortestPassword ? null : `Use at least ${shortestPassword} characters`;

export const nameFault = (value: string): string | null => (value.trim() ? null : 'Enter a name');
