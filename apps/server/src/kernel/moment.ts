/** A day of UTC, or a moment, as callers write it. */
export type Moment = { readonly at: Date; readonly isDay: boolean };

/** Null for a day that the calendar does not have. A space stands for a plus that nobody encoded. */
export function parseMoment(text: string): Moment | null {
  const day = text.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return null;
  const at = text.length === 10 ? midnight : new Date(text.replace(' ', '+'));
  return Number.isNaN(at.getTime()) ? null : { at, isDay: text.length === 10 };
}
