/** An array as PostgreSQL writes it. UUIDs, windows and numbers need no quotes, and to look for some takes time. */
export const arrayOf = (values: readonly (string | number)[]) => `{${values.join(',')}}`;
