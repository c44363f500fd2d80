import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { type Link, toLocation } from './link.ts';

/** Where links are looked up that are not in memory. */
export type LinkStore = { find(shortCode: string): Promise<Link | null> };

/** One probe of one index: the same that keeps short codes unique. */
const findLink = sql(
  'find-link',
  'select id, account_id, mode, status, destination_url from qr_codes where lower(short_code) = $1',
);

type LinkRow = { id: Uuid; account_id: Uuid; mode: Mode; status: Link['status']; destination_url: string };

export function createLinkStore(db: Database): LinkStore {
  return {
    async find(shortCode) {
      const [row] = await db.query<LinkRow>(findLink, [shortCode]);
      if (!row) return null;
      const { id, account_id: accountId, mode, status, destination_url: destination } = row;
      return { qrCodeId: id, accountId, mode, status, location: toLocation(destination) };
    },
  };
}
