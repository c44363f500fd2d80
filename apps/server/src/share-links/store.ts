import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { OpenLink, Owner, Section, ShareLink, Subject } from './share-link.ts';
import * as statements from './statements.ts';

/**
 * Null, or the number of links where the limit is reached, or that what is shared was deleted meanwhile. One at a time per
 * account, so that the limit holds.
 */
export function insertLink(
  db: Database,
  { accountId, mode }: Owner,
  link: ShareLink,
  tokenHash: Buffer,
  limit: number,
): Promise<number | 'gone' | null> {
  return db.transaction(async tx => {
    const { qrCodeId, tag } = link;
    const locked = [await tx.query(statements.lockAccount, [accountId])];
    if (qrCodeId) locked.push(await tx.query(statements.lockCode, [qrCodeId]));
    if (tag) locked.push(await tx.query(statements.lockTag, [tag.id]));
    if (locked.some(rows => rows.length === 0)) return 'gone';
    const [row] = await tx.query<{ count: number }>(statements.countLinks, [accountId, mode]);
    if (row!.count >= limit) return row!.count;
    const { days, startDate, endDate, timezone } = link.period;
    await tx.query(statements.insertLink, [
      link.id,
      accountId,
      mode,
      tokenHash,
      link.hint,
      qrCodeId,
      tag?.id ?? null,
      link.title,
      link.sections,
      days,
      startDate,
      endDate,
      timezone,
      link.expiresAt,
      link.createdAt,
    ]);
    return null;
  });
}

/** All, or those of one code or one tag, the newest first. */
export async function listLinks(
  db: Database,
  { accountId, mode }: Owner,
  { qrCodeId, tag }: Subject,
): Promise<ShareLink[]> {
  const rows = await db.query<LinkRow>(statements.listLinks, [accountId, mode, qrCodeId, tag?.id ?? null]);
  return rows.map(toLink);
}

export async function deleteLink(db: Database, { accountId, mode }: Owner, id: Uuid): Promise<boolean> {
  return (await db.query(statements.deleteLink, [accountId, mode, id])).length > 0;
}

/** The link of a token, if its page may be shown now. */
export async function findOpenLink(db: Database, tokenHash: Buffer, now: Date): Promise<OpenLink | null> {
  const [row] = await db.query<OpenRow>(statements.findOpen, [tokenHash, now]);
  return row ? { ...toLink(row), accountId: row.account_id, mode: row.mode, name: row.name } : null;
}

/** Which of these codes may be named to everybody: neither suspended nor deleted. */
export async function findPublic(db: Database, ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
  if (ids.length === 0) return new Set();
  const rows = await db.query<{ id: Uuid }>(statements.publicOf, [ids]);
  return new Set(rows.map(({ id }) => id));
}

type LinkRow = {
  readonly id: Uuid;
  readonly qr_code_id: Uuid | null;
  readonly tag_id: Uuid | null;
  readonly tag: string | null;
  readonly title: string | null;
  readonly sections: Section[];
  readonly days: number | null;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly timezone: string;
  readonly expires_at: Date | null;
  readonly hint: string;
  readonly created_at: Date;
};
type OpenRow = LinkRow & { readonly account_id: Uuid; readonly mode: Mode; readonly name: string };

const toLink = (row: LinkRow): ShareLink => ({
  id: row.id,
  qrCodeId: row.qr_code_id,
  tag: row.tag_id === null ? null : { id: row.tag_id, name: row.tag ?? '' },
  title: row.title,
  sections: row.sections,
  period:
    row.days === null
      ? { timezone: row.timezone, days: null, startDate: row.start_date!, endDate: row.end_date }
      : { timezone: row.timezone, days: row.days, startDate: null, endDate: null },
  expiresAt: row.expires_at,
  hint: row.hint,
  createdAt: row.created_at,
});
