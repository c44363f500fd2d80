/** Hosts and URLs that no code may lead to, imported from a published file. */
export type List = {
  readonly name: string;
  readonly format: string;
  readonly importedAt: Date;
  /** When it expires unless it is imported again; null: never. */
  readonly expiresAt: Date | null;
  readonly hosts: number;
  readonly urls: number;
};

/** The name appears in error messages and in reasons that owners read. */
export const isListName = (name: string) => /^[a-z0-9][a-z0-9._-]{0,39}$/.test(name);
