/** The number of an event, as text that says nothing to its reader and may change its form. */
export const formatCursor = (number: number): string => Buffer.from(`1_${number}`).toString('base64url');

/** Null for any text that `formatCursor` did not write. */
export function parseCursor(text: string): number | null {
  const [, number] = /^1_(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  return number === undefined ? null : Number(number);
}
