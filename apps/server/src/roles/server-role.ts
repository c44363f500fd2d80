export const serverRoles = ['api', 'redirect', 'ingest', 'deliver', 'all', 'solo'] as const;

/** What a process of the service does. */
export type ServerRole = (typeof serverRoles)[number];

export const isServerRole = (word: string): word is ServerRole =>
  (serverRoles as readonly string[]).includes(word);

/** Whether it has the parts of every other role. */
export const hasEveryPart = (role: string): boolean => role === 'all' || role === 'solo';

export const servesLinks = (role: string): boolean => role === 'redirect' || hasEveryPart(role);
