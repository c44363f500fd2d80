import { domainKeySpace, toDomainKey } from '../kernel/addresses/link-key.ts';
import type { LinkNames } from '../kernel/addresses/link-names.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';

/** A short link as people paste it: its key, and what it begins with. Whether it exists is not known yet. */
export type PastedLink = { readonly key: string; readonly url: string; readonly base: string };

/** Links on the host of the service cost no query. */
export async function findLink(db: Database, linkNames: LinkNames, text: string): Promise<PastedLink | null> {
  const key = linkNames.parseKey(text);
  if (key !== null) return { key, url: `${linkNames.base}/${key}`, base: linkNames.base };
  const link = linkNames.parseOnDomain(text);
  const [domain] = link ? await db.query<{ tag: string }>(tagOfHost, [link.host]) : [];
  if (!link || !domain) return null;
  const base = linkNames.domainBase(link.host);
  const onDomain = toDomainKey(domainKeySpace(domain.tag), link.key);
  return onDomain === null ? null : { key: onDomain, url: `${base}/${link.key}`, base };
}

const tagOfHost = sql('tag-of-domain', 'select tag from domains where host = $1');
