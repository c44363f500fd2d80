/** What the drivers' errors have in common. */
export function errorText(error: unknown): {
  readonly code: string;
  readonly message: string;
  readonly name: string;
} {
  const { code = '', message = '', name = '' } = (error ?? {}) as NodeJS.ErrnoException;
  return { code, message, name };
}

/** The first line, without the full stop at its end. */
export const firstSentence = (text: string): string =>
  text
    .split('\n')[0]!
    .slice(0, 200)
    .replace(/\.\s*$/, '');
