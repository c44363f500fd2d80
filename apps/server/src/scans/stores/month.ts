/** A calendar month in UTC, as 2026-11. Stores keep the scans of a month together. */
export type Month = string;

export const toMonth = (atMs: number): Month => new Date(atMs).toISOString().slice(0, 7);

export const monthStartMs = (month: Month): number => Date.parse(`${month}-01T00:00:00Z`);

export function nextMonth(month: Month): Month {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return toMonth(Date.UTC(year, number));
}
