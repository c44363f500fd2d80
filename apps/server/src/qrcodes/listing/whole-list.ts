import { type Page, type Paged, toOffset } from '../../kernel/page.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { findCounts, findListStart } from '../code-counts.ts';
import type { Owner, QrCode, Status } from '../qr-code.ts';
import * as statements from '../statements.ts';
import { type CodeRow, toQrCode } from '../store.ts';
import type { Direction } from './filter.ts';

const all = { asc: statements.listOldest, desc: statements.listNewest };
const byStatus = { asc: statements.listOldestByStatus, desc: statements.listNewestByStatus };

/** All codes, or those of one status. However far down the page is, at most one bucket of codes is skipped over. */
export async function pageByNumber(
  db: Database,
  owner: Owner,
  page: Page,
  status: Status | null,
  direction: Direction,
): Promise<Paged<QrCode>> {
  const offset = toOffset(page);
  const counts = await findCounts(db, owner);
  const start = await findListStart(db, owner, offset, status, direction);
  const total = status ? counts[status] : counts.active + counts.paused + counts.draft;
  if (offset >= total || !start) return { items: [], page, total };
  const range = [owner.accountId, owner.mode, start.bound, start.skip, page.limit];
  const rows = status
    ? await db.query<CodeRow>(byStatus[direction], [...range, status])
    : await db.query<CodeRow>(all[direction], range);
  return { items: rows.map(toQrCode), page, total };
}
