import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { type Link, toLocation } from './link.ts';

/** Where links are looked up that are not in memory. */
export type LinkStore = { find(keys: readonly string[]): Promise<ReadonlyMap<string, Link>> };

/** One probe of one index for each: the same that keeps short codes unique. */
const findLinks = sql(
  'find-links',
  `select lower(short_code) as key, id, account_id, mode, status, destination_url
     from qr_codes where lower(short_code) = any($1)`,
);

type LinkRow = {
  key: string;
  id: Uuid;
  account_id: Uuid;
  mode: Mode;
  status: Link['status'];
  destination_url: string;
};

export function createLinkStore(db: Database): LinkStore {
  return {
    async find(keys) {
      const rows = await db.query<LinkRow>(findLinks, [keys]);
      return new Map(rows.map(row => [row.key, toLink(row)]));
    },
  };
}

const toLink = ({
  id,
  account_id: accountId,
  mode,
  status,
  destination_url: destination,
}: LinkRow): Link => ({
  qrCodeId: id,
  accountId,
  mode,
  status,
  location: toLocation(destination),
});
