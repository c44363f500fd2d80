export const serverRoles = ['api', 'redirect', 'ingest', 'deliver', 'all'] as const;

/** What a process of the service does. */
export type ServerRole = (typeof serverRoles)[number];

export const isServerRole = (word: string): word is ServerRole =>
  (serverRoles as readonly string[]).includes(word);
