import { type Page, type Paged, toOffset } from '../../kernel/page.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { countList, findListStart } from '../code-counts.ts';
import type { Owner, QrCode } from '../qr-code.ts';
import * as statements from '../statements.ts';
import { type CodeRow, toQrCode } from '../store.ts';
import type { Direction, WholeList } from './filter.ts';

const all = { asc: statements.listOldest, desc: statements.listNewest };
const byStatus = { asc: statements.listOldestByStatus, desc: statements.listNewestByStatus };

/** However far down the page is, at most one bucket of codes is skipped over. */
export async function pageByNumber(
  db: Database,
  owner: Owner,
  page: Page,
  list: WholeList,
  direction: Direction,
): Promise<Paged<QrCode>> {
  const offset = toOffset(page);
  const total = await countList(db, owner, list);
  const start = await findListStart(db, owner, offset, list, direction);
  if (offset >= total || !start) return { items: [], page, total };
  const range = [owner.accountId, owner.mode, start.bound, start.skip, page.limit, list === 'archived'];
  const rows =
    list === 'listed' || list === 'archived'
      ? await db.query<CodeRow>(all[direction], range)
      : await db.query<CodeRow>(byStatus[direction], [...range, list]);
  return { items: rows.map(toQrCode), page, total };
}
