/**
 * SQL for the end of a window: `name` is an expression for its name, `2026-11` or `2026-11-15`. Deletion compares it to
 * PostgreSQL's `now()`, so that no other clock can delete anything. A day that its month does not have yields a time too: one
 * bad name must not fail the statement for all others.
 */
export const windowEnd = (name: string): string =>
  `((make_date(split_part(${name}, '-', 1)::int, split_part(${name}, '-', 2)::int, 1)
     + coalesce(nullif(split_part(${name}, '-', 3), '')::int * interval '1 day', interval '1 month')) at time zone 'UTC')`;
