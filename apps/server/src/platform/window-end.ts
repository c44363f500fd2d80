/**
 * SQL for the moment at which a window is over: `name` is an expression that gives its name, `2026-11` or `2026-11-15`.
 * Deletion goes by this and PostgreSQL's `now()`, so that no other clock can delete anything. A day that its month does
 * not have gives a moment too, as one bad name must not fail the statement for all others.
 */
export const windowEnd = (name: string): string =>
  `((make_date(split_part(${name}, '-', 1)::int, split_part(${name}, '-', 2)::int, 1)
     + coalesce(nullif(split_part(${name}, '-', 3), '')::int * interval '1 day', interval '1 month')) at time zone 'UTC')`;
