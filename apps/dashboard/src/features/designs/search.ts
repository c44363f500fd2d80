/** What the form of a new design may be opened with: the design to copy. */
export type NewDesignSearch = { readonly from?: string };

export const parseNewDesignSearch = ({ from }: Readonly<Record<string, unknown>>): NewDesignSearch =>
  typeof from === 'string' && from.startsWith('dsn_') ? { from } : {};
