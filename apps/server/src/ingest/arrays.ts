/** An array literal of PostgreSQL. UUIDs, windows and numbers need no quotes, and checking for them would take time. */
export const toArrayLiteral = (values: readonly (string | number)[]) => `{${values.join(',')}}`;
