/** What a check found, and what to do about it. */
export type Outcome =
  | { readonly state: 'ok'; readonly found: string }
  | { readonly state: 'warning' | 'problem'; readonly found: string; readonly next: string };

export type Finding = Outcome & { readonly check: string };

export const ok = (found: string): Outcome => ({ state: 'ok', found });
export const warning = (found: string, next: string): Outcome => ({ state: 'warning', found, next });
export const problem = (found: string, next: string): Outcome => ({ state: 'problem', found, next });

/** A check that could not run, because an earlier one failed. */
export const notChecked = (reason: string): Outcome => warning(`not checked: ${reason}`, 'See above.');

/** The part of an error that helps an operator: the message of its cause where we have wrapped it. */
export function describeError(error: unknown): string {
  const { cause } = (error ?? {}) as { cause?: unknown };
  if (cause instanceof Error) return describeError(cause);
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0]);
  return error instanceof Error ? error.message || error.name : String(error);
}
