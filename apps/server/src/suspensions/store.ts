import type { Uuid } from '../kernel/ids.ts';
import { offsetOf, type Page, type Paged } from '../kernel/page.ts';
import type { Database } from '../platform/postgres.ts';
import { type AccountRow, toAccountItem } from './rows.ts';
import * as statements from './statements.ts';
import type { Appeal, OwnSuspension, Suspension, SuspensionState } from './suspension.ts';

export async function findSuspension(db: Database, id: Uuid): Promise<Suspension | null> {
  const [row] = await db.query<SuspensionRow>(statements.findSuspension, [id]);
  return row ? toSuspension(row) : null;
}

export async function findOpenOfAccount(db: Database, accountId: Uuid): Promise<Suspension | null> {
  const [row] = await db.query<SuspensionRow>(statements.findOpenOfAccount, [accountId]);
  return row ? toSuspension(row) : null;
}

/** The suspension of a code that the operator made by hand. */
export async function findOpenByOperator(db: Database, qrCodeId: Uuid): Promise<Suspension | null> {
  const [row] = await db.query<SuspensionRow>(statements.findOpenByOperator, [qrCodeId]);
  return row ? toSuspension(row) : null;
}

/** Newest first, including those no longer in force. */
export async function findOfCode(db: Database, qrCodeId: Uuid): Promise<readonly Suspension[]> {
  return (await db.query<SuspensionRow>(statements.findOfCode, [qrCodeId])).map(toSuspension);
}

const lists = {
  open: [statements.listOpen, statements.countOpen],
  appealed: [statements.listAppealed, statements.countAppealed],
  released: [statements.listReleased, statements.countReleased],
} as const;

/** Newest first. */
export async function listSuspensions(
  db: Database,
  page: Page,
  state: SuspensionState,
): Promise<Paged<Suspension>> {
  const [select, count] = lists[state];
  const rows = await db.query<SuspensionRow>(select, [offsetOf(page), page.limit]);
  const [counted] = await db.query<{ total: number }>(count);
  return { items: rows.map(toSuspension), page, total: counted?.total ?? 0 };
}

type OwnRow = {
  reason: string;
  suspended_at: Date;
  appeal: string | null;
  appealed_at: Date | null;
  answer: string | null;
  answered_at: Date | null;
};

const toOwn = (row: OwnRow): OwnSuspension => ({
  reason: row.reason,
  suspendedAt: row.suspended_at,
  appeal: appealOf(row),
});

function appealOf({ appeal, appealed_at: at, answer, answered_at: answeredAt }: OwnRow): Appeal | null {
  if (appeal === null || at === null) return null;
  return { text: appeal, at, answer: answeredAt && { text: answer ?? '', at: answeredAt } };
}

export async function findOwnOfCode(db: Database, qrCodeId: Uuid): Promise<OwnSuspension | null> {
  const [row] = await db.query<OwnRow>(statements.ownOfCode, [qrCodeId]);
  return row ? toOwn(row) : null;
}

export async function findOwnOfAccount(db: Database, accountId: Uuid): Promise<OwnSuspension | null> {
  const [row] = await db.query<OwnRow>(statements.ownOfAccount, [accountId]);
  return row ? toOwn(row) : null;
}

type SuspensionRow = AccountRow &
  OwnRow & {
    id: Uuid;
    qr_code_id: Uuid | null;
    cause: Suspension['cause'];
    source: string;
    url: string | null;
    released_at: Date | null;
    deleted_at: Date | null;
    code_name: string;
    leads_to: string;
    key_space: string;
    short_code: string;
  };

const toSuspension = (row: SuspensionRow): Suspension => ({
  ...toOwn(row),
  id: row.id,
  account: toAccountItem(row),
  code:
    row.qr_code_id === null
      ? null
      : {
          id: row.qr_code_id,
          name: row.code_name,
          keySpace: row.key_space,
          shortCode: row.short_code,
          destinationUrl: row.leads_to,
        },
  cause: row.cause,
  source: row.source,
  url: row.url,
  releasedAt: row.released_at,
  deletedAt: row.deleted_at,
});
